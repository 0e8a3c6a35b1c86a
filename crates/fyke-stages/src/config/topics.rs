//! `topics.toml`: a tree of topics with a few keywords each (002 §3). A topic's name is its path in the
//! tree, as `science/space`; what lies above it need not be named.

use super::ConfigError;
use super::origin::{line_and_column, nearest};
use fyke_derive::whole::topics::Outline;
use std::collections::BTreeMap;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// The file's name in the collection's folder.
pub const TOPICS_FILE: &str = "topics.toml";

const MOST_TOPICS: usize = 256;
const MOST_KEYWORDS: usize = 64;
const DEEPEST: usize = 6;
/// Characters of the longest name and keyword.
const LONGEST: usize = 80;

/// The known keys of each section; those of `[topics]` are names.
const SECTIONS: &[(&str, &[&str])] = &[("training", &["sizes", "rest"]), ("topics", &[])];

/// A place in the text and what is wrong there.
type Wrong = (usize, String);

/// The outline of the collection at `root`; none where there is no file.
///
/// # Errors
/// The first thing wrong, with its place.
pub fn load_outline(root: &Path) -> Result<Option<Outline>, ConfigError> {
    Ok(match outline_text(root)? {
        Some(text) => Some(parse_outline(&text)?),
        None => None,
    })
}

/// The text of the file, if there is one.
///
/// # Errors
/// When it is there and cannot be read.
pub fn outline_text(root: &Path) -> Result<Option<String>, ConfigError> {
    let path = root.join(TOPICS_FILE);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ConfigError(format!("{} cannot be read: {error}", path.display()))),
    }
}

/// Reads the text of a file.
///
/// # Errors
/// The first thing wrong, with its place.
pub fn parse_outline(text: &str) -> Result<Outline, ConfigError> {
    read(text).map_err(|(offset, what)| {
        let (line, column) = line_and_column(text, offset);
        ConfigError(format!("{TOPICS_FILE}:{line}:{column}: {what}"))
    })
}

/// The text of a file with other keywords for one topic; everything else stays as it was written.
///
/// # Errors
/// When the text or what became of it is wrong.
pub fn with_keywords(text: &str, name: &str, keywords: &[String]) -> Result<String, ConfigError> {
    parse_outline(text)?;
    let list = toml::Value::from(keywords.to_vec()).to_string();
    let table = DeTable::parse(text).map_err(|e| ConfigError(e.message().to_owned()))?;
    let topics = table.get_ref().get("topics").map(toml::Spanned::get_ref);
    let found = match topics {
        Some(DeValue::Table(topics)) => topics.get(name).map(toml::Spanned::span),
        _ => None,
    };
    let new = match found {
        Some(span) => format!("{}{list}{}", &text[..span.start], &text[span.end..]),
        // A topic that is only implied by what is below it.
        None => text.replacen("[topics]", &format!("[topics]\n{name:?} = {list}"), 1),
    };
    parse_outline(&new)?;
    Ok(new)
}

fn read(text: &str) -> Result<Outline, Wrong> {
    let broken = |e: toml::de::Error| {
        (e.span().map_or(0, |span| span.start), format!("not valid TOML: {}", e.message()))
    };
    let table = DeTable::parse(text).map_err(broken)?;
    let mut outline = Outline { rest: true, ..Outline::default() };
    let mut topics = BTreeMap::new();
    for (section, inner) in table.get_ref().iter() {
        let (at, name) = (section.span().start, section.get_ref().as_ref());
        let Some((_, known)) = SECTIONS.iter().find(|(known, _)| *known == name) else {
            return Err((at, unknown("section", name, SECTIONS.iter().map(|(name, _)| *name))));
        };
        let DeValue::Table(keys) = inner.get_ref() else {
            return Err((at, format!("{name:?} is a section: [{name}]")));
        };
        for (key, value) in keys.iter() {
            let (at, key) = (key.span().start, key.get_ref().as_ref());
            match (name, key, value.get_ref()) {
                ("topics", _, value) => {
                    topics.insert(
                        topic(key).map_err(|e| (at, e))?,
                        words(value).map_err(|e| (at, e))?,
                    );
                }
                (_, "sizes", DeValue::String(sizes)) if matches!(&**sizes, "even" | "found") => {
                    outline.even = &**sizes == "even";
                }
                (_, "rest", DeValue::Boolean(rest)) => outline.rest = *rest,
                (_, "sizes", _) => {
                    return Err((at, "sizes: expected \"found\" or \"even\"".to_owned()));
                }
                (_, "rest", _) => return Err((at, "rest: expected true or false".to_owned())),
                _ => return Err((at, unknown("key", key, known.iter().copied()))),
            }
        }
    }
    complete(&mut topics).map_err(|what| (0, what))?;
    (outline.names, outline.keywords) =
        topics.into_iter().map(|(path, words)| (path.join("/"), words)).unzip();
    Ok(outline)
}

fn unknown<'a>(kind: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let advice = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean {near:?}?"),
        None => format!("known: {}", known.collect::<Vec<_>>().join(", ")),
    };
    format!("unknown {kind} {name:?}; {advice}")
}

/// The steps of a topic's path.
fn topic(name: &str) -> Result<Vec<String>, String> {
    let fits = |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || "-_.".contains(c);
    let steps: Vec<String> = name.split('/').map(str::to_owned).collect();
    let is_name = |step: &String| !step.is_empty() && step.chars().all(fits);
    if !steps.iter().all(is_name) || steps.len() > DEEPEST || name.chars().count() > LONGEST {
        return Err(format!(
            "topic {name:?}: expected small letters, digits, - _ or . with / between at most {DEEPEST} levels"
        ));
    }
    Ok(steps)
}

fn words(value: &DeValue) -> Result<Vec<String>, String> {
    let wrong = || format!("expected a list of at most {MOST_KEYWORDS} keywords in quotes");
    let DeValue::Array(items) = value else { return Err(wrong()) };
    let word = |item: &toml::Spanned<DeValue>| match item.get_ref() {
        DeValue::String(word) if !word.trim().is_empty() && word.chars().count() <= LONGEST => {
            Ok(word.trim().to_owned())
        }
        _ => Err(wrong()),
    };
    let words: Vec<String> = items.iter().map(word).collect::<Result<_, _>>()?;
    if words.len() > MOST_KEYWORDS { Err(wrong()) } else { Ok(words) }
}

/// Adds what lies above the named topics.
fn complete(topics: &mut BTreeMap<Vec<String>, Vec<String>>) -> Result<(), String> {
    let above =
        |path: &Vec<String>| (1..path.len()).map(|n| path[..n].to_vec()).collect::<Vec<_>>();
    for path in topics.keys().flat_map(above).collect::<Vec<_>>() {
        topics.entry(path).or_default();
    }
    match topics.len() {
        0 => Err("there is no topic: write them into [topics], as \"science/space\" = [\"orbit\"]"
            .into()),
        MOST_TOPICS.. => Err(format!("there are more topics than {MOST_TOPICS}")),
        _ if topics.values().all(Vec::is_empty) => Err("no topic has a keyword".into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Mine.\n[training]\nsizes = \"even\"\n\n[topics]\n\"science/space\" = [\"orbit\", \"space shuttle\"] # high\nsport = []\n\"sport/hockey\" = [\"puck\"]\n";

    #[test]
    fn a_tree_is_read_with_what_lies_above() {
        let outline = parse_outline(TEXT).unwrap();
        assert_eq!(outline.names, ["science", "science/space", "sport", "sport/hockey"]);
        assert_eq!(outline.keywords[1], ["orbit", "space shuttle"]);
        assert!(outline.even && outline.rest);
        let tree = outline.tree();
        assert_eq!(
            (0..4).map(|n| tree.parent(n)).collect::<Vec<_>>(),
            [None, Some(0), None, Some(2)]
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place_and_the_nearest_key() {
        let check =
            |text: &str, expected: &str| assert_eq!(parse_outline(text).unwrap_err().0, expected);
        check(
            "[topics]\na = [\"x\"]\n[trainign]\n",
            "topics.toml:3:2: unknown section \"trainign\"; did you mean \"training\"?",
        );
        check(
            "[training]\nsize = \"even\"\n",
            "topics.toml:2:1: unknown key \"size\"; did you mean \"sizes\"?",
        );
        check(
            "[training]\nsizes = \"big\"\n",
            "topics.toml:2:1: sizes: expected \"found\" or \"even\"",
        );
        check(
            "[topics]\n\"a//b\" = [\"x\"]\n",
            "topics.toml:2:1: topic \"a//b\": expected small letters, digits, - _ or . with / between at most 6 levels",
        );
        check(
            "[topics]\na = \"x\"\n",
            "topics.toml:2:1: expected a list of at most 64 keywords in quotes",
        );
        check("[topics]\na = []\n", "topics.toml:1:1: no topic has a keyword");
        check("topics = 3\n", "topics.toml:1:1: \"topics\" is a section: [topics]");
        assert!(parse_outline("[topics").unwrap_err().0.contains("not valid TOML"));
    }

    #[test]
    fn keywords_are_changed_and_the_rest_stays_as_it_was_written() {
        let words = ["orbit".to_owned(), "say \"hi\"".to_owned()];
        let new = with_keywords(TEXT, "science/space", &words).unwrap();
        assert_eq!(parse_outline(&new).unwrap().keywords[1], words);
        assert!(new.starts_with("# Mine.\n") && new.contains("# high\nsport"));
        let new = with_keywords(TEXT, "science", &words).unwrap();
        assert_eq!(parse_outline(&new).unwrap().keywords[0], words);
        assert!(with_keywords(TEXT, "no such", &words).is_err());
    }
}
