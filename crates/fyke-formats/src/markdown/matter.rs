//! Front matter: lines `key: value` between two rules at the head of a file (YAML), or `key =
//! "value"` (TOML). Only plain values are read.

use super::super::Converted;

/// What the front matter says, and the text behind it.
pub(super) fn split(text: &str) -> (Converted, &str) {
    let mut found = Converted::default();
    let rules = [("---", ':'), ("+++", '=')];
    let opened = rules.iter().find_map(|(rule, sign)| {
        let rest = text.strip_prefix(rule)?;
        let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))?;
        let end = rest.lines().scan(0, |at, line| {
            let start = *at;
            *at += line.len() + 1;
            Some((start, line))
        });
        let end = end.take(500).find(|(_, line)| line.trim_end() == *rule)?.0;
        // Lines may end in two bytes: the rule is found again from there.
        let end = end + rest.get(end..)?.find(rule)?;
        Some((&rest[..end], &rest[end + rule.len()..], *sign))
    });
    let Some((matter, body, sign)) = opened else { return (found, text) };
    for line in matter.lines() {
        let Some((key, value)) = line.split_once(sign) else { continue };
        let value = value.trim().trim_matches(['"', '\'', '[', ']']).replace(['"', '\''], "");
        match key.trim().to_ascii_lowercase().as_str() {
            "title" => found.title = value,
            "author" | "authors" => found.author = value,
            "date" => {
                let day = value.get(..10).filter(|day| day.bytes().all(|b| b != b' '));
                day.unwrap_or(&value).clone_into(&mut found.date);
            }
            "lang" | "language" => found.language = value.to_ascii_lowercase(),
            _ => {}
        }
    }
    (found, body)
}
