//! Judgements, runs and topics of anybody's experiment.

use crate::text;
use fyke_eval::formats::{self, EvalFormat, FORMATS};
use fyke_eval::{Qrels, Run};

/// Whether a format can hold these names: between blanks or tabs no name has any, and none looks like a mark of TREC
/// or the opening of another format. JSON holds all.
fn holds<'a>(format: &EvalFormat, mut names: impl Iterator<Item = &'a str>) -> bool {
    let is_plain = |name: &str| {
        name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
            && name.chars().all(|letter| letter.is_ascii_graphic() && letter != '<')
            && name != "query_id"
    };
    format.name == "jsonl" || names.all(is_plain)
}

/// A file of judgements.
pub fn qrels(bytes: &[u8]) {
    let Ok(read) = Qrels::parse(&text(bytes)) else { return };
    for format in FORMATS {
        if holds(&format, read.iter().flat_map(|line| [line.query, line.document])) {
            let written = (format.write_qrels)(&read);
            assert_eq!(Qrels::parse(&written).as_ref(), Ok(&read), "{}: {written:?}", format.name);
        }
    }
    let _ = formats::groups(&text(bytes));
}

/// A file of answers.
pub fn run(bytes: &[u8]) {
    let Ok(read) = Run::parse(&text(bytes)) else { return };
    let mut answers = read.queries().flat_map(|query| read.answers(query));
    if !answers.all(|(_, score)| score.is_finite()) {
        // JSON has no such number.
        return;
    }
    let documents = read.queries().flat_map(|query| read.answers(query).map(|(name, _)| name));
    let tag = Some(read.tag.as_str()).filter(|tag| !tag.is_empty());
    let names: Vec<&str> = documents.chain(read.queries()).chain(tag).collect();
    for format in FORMATS {
        if !holds(&format, names.iter().copied()) {
            continue;
        }
        let written = (format.write_run)(&read);
        let back = Run::parse(&written);
        let back = back.unwrap_or_else(|why| panic!("{}: {why}: {written:?}", format.name));
        assert!(back.queries().eq(read.queries()), "{}: {written:?}", format.name);
        for query in read.queries() {
            assert!(back.answers(query).eq(read.answers(query)), "{}: {written:?}", format.name);
        }
    }
}

/// A file of topics.
pub fn topics(bytes: &[u8]) {
    let Ok(read) = formats::topics(&text(bytes)) else { return };
    for format in FORMATS {
        if holds(&format, read.iter().flat_map(|topic| [&*topic.id, &*topic.title])) {
            let written = (format.write_topics)(&read);
            let back = formats::topics(&written);
            let back = back.unwrap_or_else(|why| panic!("{}: {why}: {written:?}", format.name));
            assert_eq!(back.len(), read.len(), "{}: {written:?}", format.name);
        }
    }
}
