//! The text files of TREC: `query 0 document grade` for qrels, `query Q0 document rank score tag`
//! for runs, marked-up topics. Fields stand between blanks; what follows the last is not looked at,
//! and lines that begin with `#` are passed over, as trec_eval does.

use super::{Format, ParseError, Told, error, lines, number, topics};

pub(super) const FORMAT: Format = Format {
    name: "trec",
    what: "columns between blanks: query 0 document grade; query Q0 document rank score tag",
    is: |_| true,
    qrels,
    run,
    topics: topics::read,
    write_qrels: ToString::to_string,
    write_run: ToString::to_string,
    write_topics: topics::write,
};

fn qrels(text: &str, told: Told<'_, i32>) -> Result<(), ParseError> {
    for (line, text) in content(text) {
        let [query, _, document, grade] = columns(line, text, "query 0 document grade")?;
        told(line, query, document, number(line, grade, "grade")?)?;
    }
    Ok(())
}

/// The tag is that of the last line, as in trec_eval.
fn run(text: &str, told: Told<'_, f32>) -> Result<String, ParseError> {
    let mut last = "";
    for (line, text) in content(text) {
        let [query, _, document, _, score, tag] =
            columns(line, text, "query Q0 document rank score tag")?;
        // By way of a double, as trec_eval: some scores differ in the last bit.
        told(line, query, document, number::<f64>(line, score, "score")? as f32)?;
        last = tag;
    }
    Ok(last.to_owned())
}

/// The lines that are no comments.
pub(crate) fn content(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).filter(|(_, line)| !line.trim_ascii_start().starts_with('#'))
}

/// The first fields of a line.
pub(crate) fn columns<'a, const N: usize>(
    line: usize,
    text: &'a str,
    expected: &str,
) -> Result<[&'a str; N], ParseError> {
    let mut fields = text.split_ascii_whitespace();
    let mut found = [""; N];
    for (at, field) in found.iter_mut().enumerate() {
        let missing = || error(line, format!("{at} fields, expected: {expected}"));
        *field = fields.next().ok_or_else(missing)?;
    }
    Ok(found)
}
