//! The text files of TREC: `query 0 document grade` for qrels, `query Q0 document rank score tag`
//! for runs, marked-up topics. Fields stand between blanks; what follows the last is not looked at,
//! and lines that begin with `#` are skipped, as trec_eval does.

use super::scan::{TextScan, double};
use super::{EvalFormat, ParseError, ReadProblem, not_a_number, number, topics};

pub(super) const FORMAT: EvalFormat = EvalFormat {
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

fn qrels(text: &str, told: ReadProblem<'_, i32>) -> Result<(), ParseError> {
    let mut scan = TextScan::new(text);
    while scan.next_line() {
        let [query, _, document, grade] = scan.columns("query 0 document grade")?;
        told(scan.line, query, document, number(scan.line, grade, "grade")?)?;
    }
    Ok(())
}

/// The tag is that of the last line, as in trec_eval. Large files are read here, so what the line
/// before began with, the query and `Q0`, is passed over where it stands again, and only what is
/// needed becomes a string.
fn run(text: &str, told: ReadProblem<'_, f32>) -> Result<String, ParseError> {
    let mut scan = TextScan::new(text);
    let (mut query, mut begun, mut tag) = ("", "", [0; 2]);
    while scan.next_line() {
        let start = scan.place();
        if begun.is_empty() || !scan.skip(begun) {
            let named = scan.field();
            scan.field();
            query = scan.at(named);
            // With the blank behind it.
            begun = if scan.skip(" ") { scan.at([start, scan.place()]) } else { "" };
        }
        let (document, _, score) = (scan.field(), scan.field(), scan.field());
        tag = scan.field();
        if tag[0] == tag[1] {
            return Err(scan.too_few(start, "query Q0 document rank score tag"));
        }
        let Some(number) = scan.double_at(score) else {
            return Err(not_a_number(scan.line, scan.at(score), "score"));
        };
        told(scan.line, query, scan.at(document), number as f32)?;
    }
    Ok(scan.at(tag).to_owned())
}

/// By way of a double, as trec_eval has it: some scores differ in the last bit.
pub(super) fn score(line: usize, field: &str) -> Result<f32, ParseError> {
    let score =
        double(field, [0, field.len()]).ok_or_else(|| not_a_number(line, field, "score"))?;
    Ok(score as f32)
}
