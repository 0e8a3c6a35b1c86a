//! The text files of TREC: `query 0 document grade` for qrels, `query Q0 document rank score tag`
//! for runs, marked-up topics. Fields stand between blanks; what follows the last is not looked at,
//! and lines that begin with `#` are passed over, as trec_eval does.

use super::scan::{Scan, double};
use super::{Format, ParseError, Told, not_a_number, number, topics};

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
    let mut scan = Scan::new(text);
    while scan.next_line() {
        let [query, _, document, grade] = scan.columns("query 0 document grade")?;
        told(scan.line, query, document, number(scan.line, grade, "grade")?)?;
    }
    Ok(())
}

/// The tag is that of the last line, as in trec_eval.
fn run(text: &str, told: Told<'_, f32>) -> Result<String, ParseError> {
    let mut scan = Scan::new(text);
    let (mut places, mut last) = ([[0; 2]; 6], "");
    while scan.next_line() {
        // Only what is needed becomes a string: this is done for each line of large files.
        let count = scan.places(&mut places);
        if count < places.len() {
            return Err(scan.too_few(count, "query Q0 document rank score tag"));
        }
        let [query, _, document, _, score, tag] = places;
        let Some(number) = double(scan.at(score)) else {
            return Err(not_a_number(scan.line, scan.at(score), "score"));
        };
        told(scan.line, scan.at(query), scan.at(document), number as f32)?;
        last = scan.at(tag);
    }
    Ok(last.to_owned())
}

/// By way of a double, as trec_eval has it: some scores differ in the last bit.
pub(super) fn score(line: usize, field: &str) -> Result<f32, ParseError> {
    let score = double(field).ok_or_else(|| not_a_number(line, field, "score"))?;
    Ok(score as f32)
}
