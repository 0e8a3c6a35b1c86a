//! Tuples in signatures, counted from the text of the code: what stands in parameters, returned types, fields and
//! aliases. A tuple of three or more says nothing of its members; it is a struct with names (CONTRIBUTING.md,
//! "Rules"). Tables of data and tests may have them.

use crate::size::Item;

/// Members from which on a tuple must be a struct.
pub const MOST_MEMBERS: usize = 3;

/// A signature with a tuple.
#[derive(Debug, PartialEq, Eq)]
pub struct TupleUse {
    /// Counted from 1.
    pub line: usize,
    pub name: String,
    pub is_public: bool,
    /// Of the largest tuple.
    pub members: usize,
}

/// The tuples in the signatures of a file, its unit tests left out.
pub fn tuples(text: &str) -> Vec<TupleUse> {
    let code = bare(without_tests(text));
    let mut found = Vec::new();
    let mut start = 0;
    for (number, line) in code.split_inclusive('\n').enumerate() {
        if let Some(item) = Item::read(line.trim_end())
            && let Some(name) = line.find(&item.name)
        {
            let after = start + name + item.name.len();
            let signature = signature(&code[after..], item.is_fn);
            let members = largest_tuple(signature);
            let Item { name, is_public, is_type, is_fn } = item;
            if members > 1 && (is_type || is_fn) {
                found.push(TupleUse { line: number + 1, name, is_public, members });
            }
        }
        start += line.len();
    }
    found
}

/// What stands before the unit tests, which end a file.
pub fn without_tests(text: &str) -> &str {
    let opens = |at: usize| {
        let line = text[at..].lines().nth(1).unwrap_or_default();
        line.contains("mod ") && line.ends_with('{')
    };
    let tests = text.match_indices("#[cfg(test)]\n").map(|(at, _)| at).find(|at| opens(*at));
    &text[..tests.unwrap_or(text.len())]
}

/// The code with blanks in place of comments and of what stands in quotes.
fn bare(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = comment_or_literal(rest).unwrap_or(0);
        if length == 0 {
            bare.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        bare.extend(rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[length..];
    }
    bare
}

/// How long the comment, string or character is that begins here.
fn comment_or_literal(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return rest.find('\n').or(Some(rest.len()));
    }
    if let Some(raw) = rest.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(body.find(&end)? + hashes + 2 + end.len());
    }
    if let Some(body) = rest.strip_prefix('"') {
        let mut is_escaped = false;
        let end = body.find(|c| {
            let is_end = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        });
        return Some(end? + 2);
    }
    let body = rest.strip_prefix('\'')?;
    if body.starts_with('\\') {
        return Some(body.get(2..)?.find('\'')? + 4);
    }
    let letter = body.chars().next()?;
    body[letter.len_utf8()..].starts_with('\'').then_some(letter.len_utf8() + 2)
}

/// What follows the name of an item, up to the end of its signature: the body of a function or a trait is none
/// of it, the fields of a type are.
fn signature(code: &str, is_fn: bool) -> &str {
    let mut open = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            '{' if open == 0 && is_fn => return &code[..at],
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => {
                open = open.saturating_sub(1);
                if open == 0 && c == '}' {
                    return &code[..at];
                }
            }
            ';' if open == 0 => return &code[..at],
            _ => {}
        }
    }
    code
}

/// The members of the largest tuple type; patterns of parameters are none.
fn largest_tuple(signature: &str) -> usize {
    let mut open: Vec<(char, usize, usize)> = Vec::new();
    let mut largest = 0;
    let mut before = ' ';
    for (at, c) in signature.char_indices() {
        match c {
            '(' | '[' | '{' => open.push((c, at, 0)),
            '<' if before != '<' => open.push((c, at, 0)),
            ',' => {
                if let Some(last) = open.last_mut() {
                    last.2 += 1;
                }
            }
            '>' if "-=".contains(before) => {}
            '>' => {
                open.pop_if(|last| last.0 == '<');
            }
            ')' | ']' | '}' => {
                while open.pop_if(|last| last.0 == '<').is_some() {}
                if let Some((_, start, commas)) = open.pop()
                    && c == ')'
                    && is_type(signature, start, at)
                {
                    let inner = signature[start + 1..at].trim_end();
                    largest = largest.max(commas + usize::from(!inner.ends_with(',')));
                }
            }
            _ => {}
        }
        before = c;
    }
    largest
}

/// Whether the brackets here hold a tuple type: not the parameters of a function, the members of a variant or
/// the arguments of an attribute, and not a pattern.
fn is_type(signature: &str, start: usize, end: usize) -> bool {
    let behind = signature[end + 1..].trim_start();
    if behind.starts_with(':') && !behind.starts_with("::") {
        return false;
    }
    let before = signature[..start].trim_end();
    if before.ends_with("->") || before.ends_with("=>") {
        return true;
    }
    let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let is_lifetime = before[..before.len() - word.len()].ends_with('\'');
    is_lifetime
        || ["mut", "dyn", "const"].contains(&word)
        || word.is_empty() && !before.is_empty() && !before.ends_with(['>', '!'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::{root, sources};
    use std::fs;

    #[track_caller]
    fn check(code: &str, expected: &[(usize, &str, usize)]) {
        let found = tuples(code);
        let found: Vec<_> =
            found.iter().map(|found| (found.line, &*found.name, found.members)).collect();
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn tuples_are_found_in_parameters_returns_fields_and_aliases() {
        check("fn a(x: (u8, u8, u8)) {}", &[(1, "a", 3)]);
        check("    pub fn a(\n        x: &[(u8, String)],\n    ) -> u8 {\n", &[(1, "a", 2)]);
        check("fn a() -> Option<(u8, Vec<(u8, u8)>, u8,)> {", &[(1, "a", 3)]);
        check("\nfn a((x, y, z): (u8, u8, u8));", &[(2, "a", 3)]);
        check("fn a(x: &'a (u8, u8), y: &mut (u8, u8, u8)) {}", &[(1, "a", 3)]);
        check("fn a<I: Iterator<Item = (A, B, C)>>(i: I) {}", &[(1, "a", 3)]);
        check("struct Net {\n    mesh: Vec<(u8, u8, u8)>,\n}", &[(1, "Net", 3)]);
        check("enum Eel {\n    Live { at: (u8, u8) },\n}", &[(1, "Eel", 2)]);
        check("type Weir = fn(&str) -> (u8, u8, u8);", &[(1, "Weir", 3)]);
    }

    #[test]
    fn what_only_looks_like_a_tuple_is_none() {
        for code in [
            "fn a(x: u8, y: u8, z: u8) -> u8 { f((1, 2, 3)) }",
            "fn a(f: impl Fn(u8, u8, u8) -> u8, g: fn(u8, u8, u8)) {}",
            "fn a<T>(x: HashMap<u8, (u8)>, [y, z, w]: [u8; 3]) where T: Into<A<B, C, D>> {}",
            "enum Eel {\n    Young(u8, u8, u8),\n    #[serde(a, b, c)]\n    Old = 1 << 4,\n}",
            "struct Net(u8, u8, u8);",
            "struct Net {\n    mesh: [u8; size!(1, 2, 3)],\n    // (a, b, c)\n}",
            "const NETS: &[(u8, u8, u8)] = &[];",
            "    let f = |x: (u8, u8, u8)| x;",
            "fn a() { \"}; fn b(x: (u8, u8, u8))\"; '\"'; r#\"\"fn c(x: (A, B, C))\"#; }",
            "x\n#[cfg(test)]\nmod tests {\n    fn a(x: (u8, u8, u8)) {}\n}",
            "#[cfg(test)]\nmod net;\n#[cfg(test)]\npub(super) mod tests {\n    fn a(x: (u8, u8, u8)) {}\n}",
        ] {
            check(code, &[]);
        }
    }

    #[test]
    fn no_signature_has_a_tuple_of_three() {
        let mut complaints = Vec::new();
        let mut pairs = 0;
        let files = ["crates", "xtask"].map(|folder| sources(&root().join(folder)).unwrap());
        for file in files.iter().flatten() {
            if file.components().any(|part| part.as_os_str() == "tests") {
                continue;
            }
            for found in tuples(&fs::read_to_string(file).unwrap()) {
                pairs += usize::from(found.members < MOST_MEMBERS);
                if found.members >= MOST_MEMBERS {
                    let TupleUse { line, name, members, .. } = found;
                    complaints.push(format!("{}:{line}: {name}: {members}", file.display()));
                }
            }
        }
        assert!(pairs > 100, "only {pairs} pairs found: the search itself is broken");
        assert!(
            complaints.is_empty(),
            "a struct with names reads better:\n{}",
            complaints.join("\n")
        );
    }
}
