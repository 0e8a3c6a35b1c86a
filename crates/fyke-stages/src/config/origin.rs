//! Where a setting came from: a default, a line of the file, the environment, `--set`.

use std::fmt;

/// Where one value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueOrigin {
    Default,
    /// File name, line and column, both from 1.
    File {
        name: String,
        line: usize,
        column: usize,
    },
    /// Name of the environment variable.
    Environment(String),
    Set,
}

impl fmt::Display for ValueOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueOrigin::Default => f.write_str("default"),
            ValueOrigin::File { name, line, .. } => write!(f, "{name}:{line}"),
            ValueOrigin::Environment(name) => f.write_str(name),
            ValueOrigin::Set => f.write_str("--set"),
        }
    }
}

impl ValueOrigin {
    /// How an error message opens: the place, to the column where there is one.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            ValueOrigin::File { name, line, column } => format!("{name}:{line}:{column}"),
            other => other.to_string(),
        }
    }
}

/// Line and column (both from 1, columns in characters) of a byte offset.
#[must_use]
pub(crate) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// The candidate nearest to `word` by edit distance, when it is near enough to be a misspelling.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|candidate| (edit_distance(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + word.len().max(candidate.len()) / 3)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance with swaps of neighbours counted once (optimal string alignment).
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // The first row and column: so many letters to put in or take out.
    let mut rows: Vec<Vec<usize>> =
        (0..=a.len()).map(|i| (0..=b.len()).map(|j| i + j).collect()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_the_one_with_fewest_edits() {
        let keys = ["pages", "time", "bytes", "per_host_pages"];
        assert_eq!(nearest("pagse", keys.into_iter()), Some("pages"));
        assert_eq!(nearest("tmie", keys.into_iter()), Some("time"));
        assert_eq!(nearest("per_host_page", keys.into_iter()), Some("per_host_pages"));
        assert_eq!(nearest("colour", keys.into_iter()), None);
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        assert_eq!(line_and_column("a = 1\nč = 2", 6), (2, 1));
        assert_eq!(line_and_column("a = 1\nč = 2", 8), (2, 2));
        assert_eq!(line_and_column("", 9), (1, 1));
    }
}
