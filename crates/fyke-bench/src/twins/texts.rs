//! The texts that near copies are looked for in: articles with known copied pairs, and articles with
//! mutations of them.

use super::mutate::mutations;
use fyke::cli::Failure;
use std::path::Path;

/// Articles that are mutated.
const MUTATED: usize = 500;

/// Some texts among which there are near copies.
pub(crate) struct TwinSet {
    pub name: &'static str,
    pub texts: Vec<String>,
}

/// All sets of the data folder, the largest of articles last.
pub(crate) fn read(data: &Path) -> anyhow::Result<Vec<TwinSet>> {
    let folder = data.join("neardup/mccormick-minhash/data");
    let article = |name: &'static str| -> anyhow::Result<TwinSet> {
        let path = folder.join(format!("{name}.train"));
        let all = std::fs::read_to_string(&path).map_err(|error| {
            Failure::usage(format!(
                "{}: {error}; --data names the folder above neardup/",
                path.display()
            ))
        })?;
        // A line is an identifier and the article.
        let text = |line: &str| line.split_once(' ').map(|(_, text)| text.to_owned());
        Ok(TwinSet { name, texts: all.lines().filter_map(text).collect() })
    };
    let large = article("articles_2500")?;
    let mutated = TwinSet { name: "mutations", texts: mutations(&large.texts, MUTATED) };
    Ok(vec![article("articles_100")?, article("articles_1000")?, mutated, large])
}

/// Documents of so many bytes, of the texts in a row.
pub(crate) fn of_bytes(texts: &[String], bytes: usize) -> Vec<String> {
    let mut documents = Vec::new();
    let mut document = String::new();
    for text in texts {
        document.push_str(text);
        document.push('\n');
        if document.len() >= bytes {
            document.truncate(document.floor_char_boundary(bytes));
            documents.push(std::mem::take(&mut document));
        }
    }
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_the_bytes_that_were_asked_for() {
        let texts = ["abc".repeat(10), "déf".repeat(10), "ghi".repeat(2)].map(String::from);
        let lengths: Vec<usize> = of_bytes(&texts, 32).iter().map(String::len).collect();
        assert_eq!(lengths, [32]);
        assert_eq!(of_bytes(&texts, 5), ["abcab", "défd", "ghigh"]);
    }
}
