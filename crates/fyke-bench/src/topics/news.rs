//! The 20 newsgroups by date: messages with their group, and the keywords of each group. Of a message the
//! subject and the body are used, quotations included; other header lines name the group or its people.

use anyhow::{Context as _, bail};
use fyke_learn::bayes::Occurrence;
use fyke_learn::topics::{Bags, Keyword, Tree};
use fyke_text::bag::Gathering;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// A word of the subject counts as so many of the body, as a title's does in a collection.
const SUBJECT: f32 = fyke_stages::topics::TITLE;

/// Messages to learn from and to test on, in numbers.
pub(crate) struct News {
    pub tree: Tree,
    /// The node of each group.
    pub groups: Vec<usize>,
    pub keywords: Vec<Keyword>,
    /// The group of each keyword.
    pub of: Vec<usize>,
    pub bags: Bags,
    /// The group of each message of the training part; used for one row of the table alone.
    pub train: Vec<usize>,
    pub test: Vec<Message>,
}

/// A message of the test part.
pub(crate) struct Message {
    pub group: usize,
    /// The group of the first keyword of the list that it holds.
    pub rule: Option<usize>,
    pub words: Vec<Occurrence>,
}

/// Reads the folder `20news-bydate` of the data.
pub(crate) fn read(folder: &Path) -> anyhow::Result<News> {
    let list = folder.join("conwea.seedwords.fine.json");
    let text = std::fs::read_to_string(&list).with_context(|| list.display().to_string())?;
    let groups: BTreeMap<String, Vec<String>> = serde_json::from_str(&text)?;
    let names: Vec<&str> = groups.keys().map(String::as_str).collect();
    let (tree, nodes) = tree(&names);
    let words = || groups.values().flatten().map(String::as_str);
    let of: Vec<usize> =
        groups.values().enumerate().flat_map(|(group, words)| vec![group; words.len()]).collect();
    let unpacked = unpack(&folder.join("20news-bydate.tar.xz"))?;
    let mut gathering = Gathering::new(words());
    let (mut train, mut tests) = (Vec::new(), Vec::new());
    for (group, text) in messages(&unpacked.path().join("20news-bydate-train"), &names)? {
        let (subject, body) = parts(&text);
        gathering.add(&[(subject, SUBJECT), (body, 1.)], "en");
        train.push(group);
    }
    let (lexicon, bags) = gathering.finish();
    // The rule list needs the keywords of messages of the test part too.
    let mut rules = Gathering::new(words());
    for (group, text) in messages(&unpacked.path().join("20news-bydate-test"), &names)? {
        let (subject, body) = parts(&text);
        let parts = [(subject, SUBJECT), (body, 1.)];
        rules.add(&parts, "en");
        tests.push((group, lexicon.bag(&parts, "en")));
    }
    let found = rules.finish().1.found;
    let rules = fyke_learn::topics::first_found(&found, &of, names.len());
    let message = |((group, words), rule)| Message { group, rule, words };
    let test = tests.into_iter().zip(rules.best()).map(message).collect();
    let keyword = |(word, group): (&str, &usize)| Keyword {
        node: nodes[*group],
        words: lexicon.numbers(word),
    };
    let keywords = words().zip(&of).map(keyword).collect();
    Ok(News { tree, groups: nodes, keywords, of, bags, train, test })
}

/// The tree by dotted names: the first part of each is above it.
fn tree(names: &[&str]) -> (Tree, Vec<usize>) {
    let top = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let mut tops: Vec<String> = names.iter().map(|name| top(name)).collect();
    tops.dedup();
    let above = names.iter().map(|name| tops.iter().position(|other| *other == top(name)));
    let parents = tops.iter().map(|_| None).chain(above).collect();
    let nodes = (tops.len()..tops.len() + names.len()).collect();
    (Tree::new(parents).expect("parents stand first"), nodes)
}

fn unpack(archive: &Path) -> anyhow::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    let done = Command::new("tar").arg("-xJf").arg(archive).arg("-C").arg(folder.path()).output();
    let done = done.context("cannot run tar: install tar and xz-utils")?;
    if !done.status.success() {
        bail!("{}: {}", archive.display(), String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(folder)
}

/// The messages of all groups as they are read: in the order of groups and file names.
fn messages(folder: &Path, names: &[&str]) -> anyhow::Result<Vec<(usize, String)>> {
    let mut messages = Vec::new();
    for (group, name) in names.iter().enumerate() {
        let folder = folder.join(name);
        let files = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        let mut files = files.map(|file| Ok(file?.path())).collect::<std::io::Result<Vec<_>>>()?;
        files.sort();
        for file in files {
            // Latin-1: a byte a character.
            let text = std::fs::read(&file)?.into_iter().map(char::from).collect();
            messages.push((group, text));
        }
    }
    Ok(messages)
}

/// The subject without what answers put before it, and the body.
fn parts(message: &str) -> (&str, &str) {
    let (head, body) = message.split_once("\n\n").unwrap_or((message, ""));
    let subject = head.lines().find_map(|line| line.strip_prefix("Subject:")).unwrap_or_default();
    let mut subject = subject.trim();
    while let Some(start) = subject.get(..3).filter(|start| start.eq_ignore_ascii_case("re:")) {
        subject = subject[start.len()..].trim_start();
    }
    (subject, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_its_subject_and_its_body() {
        let check = |text: &str, expected| assert_eq!(parts(text), expected, "{text}");
        check(
            "From: a\nSubject: Re: RE: eels\nNewsgroups: x\n\nBody.\n\nMore.",
            ("eels", "Body.\n\nMore."),
        );
        check("Subject: é", ("é", ""));
        check("", ("", ""));
    }

    #[test]
    fn groups_lie_below_the_first_part_of_their_names() {
        let (tree, nodes) = tree(&["alt.a", "comp.b", "comp.c.d"]);
        assert_eq!(nodes, [2, 3, 4]);
        assert_eq!([2, 3, 4].map(|node| tree.parent(node)), [Some(0), Some(1), Some(1)]);
    }
}
