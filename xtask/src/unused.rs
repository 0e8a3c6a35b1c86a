//! `cargo xtask unused`: items that are public although nothing outside their room names them: no other room, none of
//! the room's own integration tests, examples and templates, and no fuzz target. It reads text, so an item whose name
//! stands elsewhere with another meaning is not listed; and a type that a public function gives or takes must be
//! public although nobody writes its name. It is a list to look through, not a verdict.

#![allow(clippy::print_stdout, reason = "its list is its result")]

use crate::signatures::without_tests;
use crate::size::{Item, root, sources};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

/// A public item that only its own room names.
#[derive(Debug, PartialEq, Eq)]
pub struct UnusedItem {
    pub room: String,
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    pub name: String,
}

pub fn unused(_: &[String]) -> Result<()> {
    let items = unused_items()?;
    let mut rooms: BTreeMap<&str, usize> = BTreeMap::new();
    for UnusedItem { room, file, line, name } in &items {
        println!("crates/{room}/{file}:{line}: {name}");
        *rooms.entry(room).or_default() += 1;
    }
    println!();
    for (room, count) in rooms {
        println!("{room:14} {count:>4}");
    }
    println!("{:14} {:>4}", "all", items.len());
    Ok(())
}

/// Every such item of the rooms.
pub fn unused_items() -> Result<Vec<UnusedItem>> {
    let mut names = Names::default();
    let mut public = Vec::new();
    for room in fs::read_dir(root().join("crates")).context("crates")? {
        let folder = room?.path();
        let room = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for file in sources(&folder)? {
            let text = fs::read_to_string(&file)?;
            let within = file.strip_prefix(&folder)?.to_string_lossy().into_owned();
            let is_source = within.starts_with("src/");
            names.add(if is_source { &room } else { "" }, &text);
            if is_source {
                public.extend(public_items(&room, &within, &text));
            }
        }
    }
    for file in sources(&root().join("fuzz").join("fuzz_targets"))? {
        names.add("", &fs::read_to_string(&file)?);
    }
    public.retain(|item| !names.is_elsewhere(&item.name, &item.room));
    public.sort_by(|a, b| (&a.room, &a.file, a.line).cmp(&(&b.room, &b.file, b.line)));
    Ok(public)
}

fn public_items(room: &str, file: &str, text: &str) -> Vec<UnusedItem> {
    let items = without_tests(text).lines().zip(1..).filter_map(|(line, number)| {
        let item = Item::read(line).filter(|item| item.is_public)?;
        let (room, file) = (room.to_owned(), file.to_owned());
        Some(UnusedItem { room, file, line: number, name: item.name })
    });
    items.collect()
}

/// The rooms whose sources hold a word; what is no room's source counts as a room without a name.
#[derive(Debug, Default)]
struct Names(HashMap<String, HashSet<String>>);

impl Names {
    fn add(&mut self, room: &str, text: &str) {
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
            match self.0.get_mut(word) {
                Some(rooms) if rooms.contains(room) => {}
                Some(rooms) => drop(rooms.insert(room.to_owned())),
                None => drop(self.0.insert(word.to_owned(), [room.to_owned()].into())),
            }
        }
    }

    fn is_elsewhere(&self, name: &str, room: &str) -> bool {
        self.0.get(name).is_some_and(|rooms| rooms.iter().any(|other| other != room))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_else_names_is_listed() {
        let net = "pub fn haul() {}\npub(crate) fn mend() {}\npub struct Net;\n#[cfg(test)]\nmod tests {\n    pub fn x() {}\n}\n";
        let mut names = Names::default();
        names.add("weir", net);
        names.add("", "weir::Net");
        let mut items = public_items("weir", "src/net.rs", net);
        items.retain(|item| !names.is_elsewhere(&item.name, &item.room));
        let found: Vec<_> = items.iter().map(|item| (item.line, &*item.name)).collect();
        assert_eq!(found, [(1, "haul")]);
        names.add("eel", "let haul = 1;");
        assert!(names.is_elsewhere("haul", "weir"));
    }
}
