//! Reads the references of cora-matching, as `coraRADD` has them. The ids of authors and venues in it tell the truth, so
//! that they are passed over; the id of a publication is the truth.

use super::citation::Citation;
use super::learn::KnownCitation;
use std::collections::HashMap;

/// The references with their papers, numbered as they are met.
#[must_use]
pub fn cora(text: &str) -> Vec<KnownCitation> {
    let mut papers: HashMap<&str, u32> = HashMap::new();
    let publications = text.split("<publication ").skip(1);
    publications
        .map(|publication| {
            let id = publication.split('"').nth(1).unwrap_or_default();
            let next = papers.len() as u32;
            let paper = *papers.entry(id).or_insert(next);
            KnownCitation { citation: citation(publication), paper }
        })
        .collect()
}

/// The citation of one publication: each tag with the text that follows it.
fn citation(publication: &str) -> Citation {
    let mut citation = Citation::default();
    let tags = publication.split('<').skip(1).filter_map(|part| part.split_once('>'));
    for (tag, text) in tags {
        let (field, between) = match tag.split(' ').next().unwrap_or_default() {
            "author" => (&mut citation.authors, ", "),
            "title" => (&mut citation.title, " "),
            "name" => (&mut citation.venue, " "),
            "vol" => (&mut citation.volume, " "),
            "date" => (&mut citation.date, " "),
            _ => continue,
        };
        if !field.is_empty() {
            field.push_str(between);
        }
        field.push_str(&plain(text.trim()));
    }
    citation
}

fn plain(text: &str) -> String {
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    named.iter().fold(text.to_owned(), |text, (name, sign)| text.replace(name, sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_publication_gives_its_fields_and_its_paper() {
        let text = r#"<coraRADD><publication id="net1"><author id="1">A. Fisher</author><author id="2">and B. Hook</author>
            <title>Nets</title><title>&amp; hooks.</title><venue><venue pubid="net1" id="7"><name>J. Tides</name><vol>7</vol>
            <date>1999.</date></venue></venue></publication><publication id="net1"></publication></coraRADD>"#;
        let known = cora(text);
        let expected = Citation {
            authors: "A. Fisher, and B. Hook".into(),
            title: "Nets & hooks.".into(),
            venue: "J. Tides".into(),
            volume: "7".into(),
            date: "1999.".into(),
            pages: String::new(),
        };
        assert_eq!(known[0].citation, expected);
        assert_eq!((known[0].paper, known[1].paper, known.len()), (0, 0, 2));
    }
}
