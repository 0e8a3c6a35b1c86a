//! Standard output: results and nothing else. Tables are plain text, so that scripts can cut them.

use anyhow::Context;
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

/// Why a result was not printed, until [`all_said`] tells it.
static LOST: Mutex<Option<std::io::Error>> = Mutex::new(None);

/// Prints a result. A reader that went away (`| head`) is no error; other trouble is kept for
/// [`all_said`], so that a command does its work to the end even where nobody hears of it.
pub fn say(text: &str) {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            LOST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
        _ => {}
    }
}

/// Whether all results reached standard output.
///
/// # Errors
/// Why one did not.
pub fn all_said() -> anyhow::Result<()> {
    let lost = LOST.lock().unwrap_or_else(PoisonError::into_inner).take();
    lost.map_or(Ok(()), Err).context("could not write the results to standard output")
}

/// Prints a result as one JSON value.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn say_json(value: &impl Serialize) -> anyhow::Result<()> {
    say(&serde_json::to_string_pretty(value)?);
    Ok(())
}

/// Says something to the person, on standard error, unless `-q`.
pub fn note(quiet: bool, text: &str) {
    if !quiet {
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

/// Whether results go to a person who sees bold letters.
#[must_use]
pub(crate) fn on_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Bold on a terminal, plain elsewhere.
#[must_use]
pub fn bold(text: &str) -> String {
    if on_terminal() { format!("\x1b[1m{text}\x1b[0m") } else { text.to_string() }
}

/// Takes out control characters: what a page says must not steer the terminal.
#[must_use]
pub(crate) fn tame(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The same for a text of several lines.
#[must_use]
pub(crate) fn tame_lines(text: &str) -> String {
    text.lines().map(tame).collect::<Vec<_>>().join("\n")
}

/// Rows in columns, two spaces apart; columns of numbers stand to the right.
#[must_use]
pub fn table(rows: &[Vec<String>]) -> String {
    aligned(rows, 0)
}

/// As [`table`], with names of the columns in the first row.
#[must_use]
pub fn table_with_head(rows: &[Vec<String>]) -> String {
    aligned(rows, 1)
}

/// The first `head` rows do not say whether a column is one of numbers.
fn aligned(rows: &[Vec<String>], head: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let widths: Vec<usize> =
        (0..columns).map(|c| cells(c).map(|s| s.chars().count()).max().unwrap_or(0)).collect();
    let right: Vec<bool> =
        (0..columns).map(|c| cells(c).skip(head).all(|s| is_number(s))).collect();
    let line = |row: &Vec<String>| {
        let mut text = String::new();
        for (column, cell) in row.iter().enumerate() {
            let space = " ".repeat(widths[column] - cell.chars().count());
            let gap = if column == 0 { "" } else { "  " };
            let padded = if right[column] { space + cell } else { cell.clone() + &space };
            text.push_str(gap);
            text.push_str(&padded);
        }
        text.trim_end().to_string()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Whether it is a number or a size.
fn is_number(text: &str) -> bool {
    let text = text.trim_end_matches(|c| "KMGTiB".contains(c));
    text.chars().all(|c| c.is_ascii_digit() || ".,%-–+< ".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_numbers_stand_to_the_right() {
        let row = |a: &str, b: &str| vec![a.to_string(), b.to_string()];
        assert_eq!(
            table(&[row("kept", "1,200"), row("robots", "7")]),
            "kept    1,200\nrobots      7"
        );
    }

    #[test]
    fn the_head_of_a_column_of_numbers_stands_over_them() {
        let row = |a: &str, b: &str| vec![a.to_string(), b.to_string()];
        assert_eq!(
            table_with_head(&[row("host", "bytes"), row("a.test", "7 B"), row("b", "1.0 KiB")]),
            "host      bytes\na.test      7 B\nb       1.0 KiB"
        );
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(tame("a\x1b[31mb\nc"), "a [31mb c");
    }
}
