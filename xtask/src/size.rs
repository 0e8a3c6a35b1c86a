//! `cargo xtask size`: how large the house is, counted from its text: lines and public items of each room, type names
//! that are defined more than once, the types with the most methods, tuples in signatures, crates in Cargo.lock. Tests
//! hold what has a bound.

#![allow(clippy::print_stdout, reason = "its figures are its result")]

use crate::signatures::{MOST_MEMBERS, tuples};
use crate::unused::unused_items;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Types shown with their methods.
const LARGEST: usize = 8;

/// Words that begin the definition of a type.
const TYPES: &[&str] = &["struct", "enum", "trait", "union", "type"];
/// … and of other items.
const OTHERS: &[&str] = &["fn", "const", "static", "mod"];
/// Words that may stand before them.
const QUALIFIERS: &[&str] = &["async", "unsafe", "const", "extern"];

/// What one room holds.
#[derive(Debug, Default, PartialEq, Eq)]
struct RoomSize {
    files: usize,
    /// Of its sources, comments and unit tests among them.
    lines: usize,
    /// Of its integration tests, examples and fixtures in Rust.
    test_lines: usize,
    public: usize,
}

/// What the whole house holds.
#[derive(Debug, Default)]
struct HouseSize {
    rooms: BTreeMap<String, RoomSize>,
    /// Files that define a type of this name.
    types: BTreeMap<String, BTreeSet<String>>,
    /// Methods by room and type.
    methods: BTreeMap<(String, String), usize>,
    /// Signatures with a tuple of three members or more, and public ones with a pair.
    large_tuples: usize,
    public_pairs: usize,
}

pub fn size(_: &[String]) -> Result<()> {
    let house = HouseSize::read()?;
    println!(
        "{:14} {:>6} {:>9} {:>11} {:>13}",
        "room", "files", "lines", "test lines", "public items"
    );
    let mut all = RoomSize::default();
    for (room, size) in &house.rooms {
        show(room, size);
        all.files += size.files;
        all.lines += size.lines;
        all.test_lines += size.test_lines;
        all.public += size.public;
    }
    show("all", &all);
    let double = house.double();
    println!("\n{} type names, {} defined more than once:", house.types.len(), double.len());
    for (name, files) in double {
        println!("  {name}: {}", files.iter().cloned().collect::<Vec<_>>().join(", "));
    }
    println!("\ntypes with the most methods:");
    let mut largest: Vec<_> = house.methods.iter().collect();
    largest.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    for ((room, name), methods) in largest.into_iter().take(LARGEST) {
        println!("  {name} ({room}): {methods}");
    }
    println!("\nsignatures with a tuple of {MOST_MEMBERS} or more: {}", house.large_tuples);
    println!("public signatures with a pair: {}", house.public_pairs);
    println!("public items that nothing outside their room names: {}", unused_items()?.len());
    let lock = fs::read_to_string(root().join("Cargo.lock")).context("Cargo.lock")?;
    println!("\ncrates in Cargo.lock: {}", lock.matches("\n[[package]]\n").count());
    Ok(())
}

fn show(room: &str, RoomSize { files, lines, test_lines, public }: &RoomSize) {
    println!("{room:14} {files:>6} {lines:>9} {test_lines:>11} {public:>13}");
}

impl HouseSize {
    fn read() -> Result<HouseSize> {
        let mut house = HouseSize::default();
        let rooms = fs::read_dir(root().join("crates")).context("crates")?;
        let mut folders = rooms.map(|room| Ok(room?.path())).collect::<Result<Vec<_>>>()?;
        folders.push(root().join("xtask"));
        for folder in folders {
            let room = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for file in sources(&folder)? {
                let text = fs::read_to_string(&file)?;
                let within = file.strip_prefix(&folder)?.to_string_lossy().into_owned();
                house.add(&room, &within, &text);
            }
        }
        Ok(house)
    }

    fn add(&mut self, room: &str, file: &str, text: &str) {
        let size = self.rooms.entry(room.to_owned()).or_default();
        size.files += 1;
        if !file.starts_with("src/") {
            size.test_lines += text.lines().count();
            return;
        }
        size.lines += text.lines().count();
        let is_of_tests = file.contains("/tests/") || file.ends_with("/tests.rs");
        for found in tuples(text).into_iter().filter(|_| !is_of_tests) {
            self.large_tuples += usize::from(found.members >= MOST_MEMBERS);
            self.public_pairs += usize::from(found.members < MOST_MEMBERS && found.is_public);
        }
        let mut of = None;
        for line in text.lines() {
            let item = Item::read(line);
            size.public += usize::from(item.as_ref().is_some_and(|item| item.is_public));
            match item {
                // An associated type is none of its own.
                Some(Item { is_type: true, name, .. }) if !line.starts_with(' ') => {
                    self.types.entry(name).or_default().insert(format!("{room}/{file}"));
                }
                Some(Item { is_fn: true, .. }) if line.starts_with("    ") => {
                    if let Some(name) = &of {
                        let key = (room.to_owned(), String::clone(name));
                        *self.methods.entry(key).or_default() += usize::from(indent(line) == 4);
                    }
                }
                _ => {}
            }
            match line {
                "}" => of = None,
                _ if line.starts_with("impl") => of = inherent(line),
                _ => {}
            }
        }
    }

    /// The type names that are defined more than once, with the files that do.
    fn double(&self) -> Vec<(&String, &BTreeSet<String>)> {
        self.types.iter().filter(|(_, files)| files.len() > 1).collect()
    }
}

/// The beginning of an item, by one line as rustfmt leaves it.
#[derive(Debug, PartialEq, Eq)]
pub struct Item {
    pub name: String,
    /// Beyond its room.
    pub is_public: bool,
    pub is_type: bool,
    pub is_fn: bool,
}

impl Item {
    pub fn read(line: &str) -> Option<Item> {
        let mut rest = line.trim_start();
        let is_public = rest.starts_with("pub ");
        if let Some(after) = rest.strip_prefix("pub(") {
            rest = after.split_once(") ")?.1;
        }
        rest = rest.strip_prefix("pub ").unwrap_or(rest);
        let mut words = rest.split(' ').peekable();
        let mut word = words.next()?;
        while QUALIFIERS.contains(&word) && words.peek().is_some_and(|next| is_keyword(next)) {
            word = words.next()?;
        }
        let is_type = TYPES.contains(&word);
        if !is_type && !OTHERS.contains(&word) {
            return None;
        }
        let name = words.next()?;
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        let name = name[..end].to_owned();
        (!name.is_empty()).then_some(Item { name, is_public, is_type, is_fn: word == "fn" })
    }
}

fn is_keyword(word: &str) -> bool {
    QUALIFIERS.contains(&word) || TYPES.contains(&word) || OTHERS.contains(&word)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The type whose own methods stand in this block; none where it is an implementation of a trait.
fn inherent(line: &str) -> Option<String> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        Some(generics) => {
            let mut open = 1;
            let end = generics.find(|c| {
                open += i32::from(c == '<') - i32::from(c == '>');
                open == 0
            })?;
            &generics[end + 1..]
        }
        None => rest,
    };
    let rest = rest.trim_start();
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!rest.contains(" for ") && !name.is_empty()).then(|| name.to_owned())
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All Rust files below a folder.
pub fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    found.extend(path.extension().is_some_and(|it| it == "rs").then_some(path));
                }
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Type names that may be defined in more than one place: a reader who greps for a type should find one
    /// definition. `Args` is what clap calls the words of a command, one in each file of a command.
    const MOST_DOUBLE: usize = 3;

    #[test]
    fn hardly_any_type_name_is_defined_twice() {
        let house = HouseSize::read().unwrap();
        assert!(house.rooms.len() > 15 && house.types.len() > 500, "the count itself is broken");
        let double: Vec<_> = house.double();
        assert!(double.len() <= MOST_DOUBLE, "{double:#?}");
    }

    #[test]
    fn items_are_known_by_their_first_line() {
        let check = |line: &str, name: &str, told: [bool; 3]| {
            let item = Item::read(line).unwrap();
            assert_eq!(
                (&*item.name, [item.is_public, item.is_type, item.is_fn]),
                (name, told),
                "{line}"
            );
        };
        check("pub struct Net<'a> {", "Net", [true, true, false]);
        check("pub(crate) enum Eel {", "Eel", [false, true, false]);
        check("    pub const fn mend(&self) -> Net {", "mend", [true, false, true]);
        check("pub const MESH: usize = 8;", "MESH", [true, false, false]);
        check("type Row = u8;", "Row", [false, true, false]);
        check("    async unsafe fn haul() {", "haul", [false, false, true]);
        for line in [
            "let type_of = 1;",
            "/// struct Net",
            "pub use net::Net;",
            "}",
            "",
            "    pub name: String,",
        ] {
            assert_eq!(Item::read(line), None, "{line}");
        }
    }

    #[test]
    fn methods_belong_to_the_type_of_their_block() {
        let mut house = HouseSize::default();
        let text = "impl<'a, T: Into<Vec<u8>>> Net<'a, T> {\n    pub fn new() {\n        fn inner() {}\n    }\n    fn haul() {}\n}\n\
                    impl Clone for Net {\n    fn clone() {}\n}\nfn free() {}\npub struct Net;\n";
        house.add("weir", "src/net.rs", text);
        house.add("weir", "tests/it/main.rs", "fn a() {}\n");
        assert_eq!(house.methods, [(("weir".to_owned(), "Net".to_owned()), 2)].into());
        let size = &house.rooms["weir"];
        assert_eq!((size.files, size.lines, size.test_lines, size.public), (2, 11, 1, 2));
        house.add("weir", "src/other.rs", "pub struct Net;\n");
        assert_eq!(house.double().len(), 1);
    }
}
