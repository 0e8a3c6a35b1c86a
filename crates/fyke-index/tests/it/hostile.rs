//! Ten thousand random and hostile queries: no panic, no error, bounded answers.

use fyke_index::{Query, SearchOptions, typed_url};

use crate::corpus::corpus;

const QUERIES: usize = 10_000;

const POND: &str = "
    1 a.test en Eel traps: a trap of willow for the eel, set in the weir at night
    2 a.test sl Veter: vetrna elektrarna in veter
    3 b.test ja 東京: 東京都の風力発電
    4 b.test  Numbers: 3.14 and 1,000 and C++ and x@a.test
";

/// What queries are made of: words of the pond, operators, and what people send to forms.
const PIECES: [&str; 64] = [
    "eel",
    "trap",
    "veter",
    "東京",
    "風",
    "3.14",
    "c++",
    "the",
    "AND",
    "OR",
    "NOT",
    "NEAR/3",
    "NEAR/",
    "(",
    ")",
    "((((",
    "))))",
    "\"",
    "\"\"",
    "”",
    "+",
    "-",
    "--",
    "+-",
    "*",
    "e*",
    "tr*",
    "**",
    "~",
    "~5",
    "\"eel trap\"~2",
    "site:",
    "site:a.test",
    "lang:sl",
    "lang:",
    "type:pdf",
    "type:(",
    "date:",
    "date:2020",
    "date:..",
    "date:>2020-13",
    "date:<=9999-12-31",
    "date:0000",
    "title:eel",
    "title:\"",
    "url:http://a.test/1",
    "inanchor:x",
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "%00",
    "\u{0}",
    "\u{202e}",
    "\u{feff}",
    "e\u{301}",
    "İ",
    "ß",
    "👩‍👩‍👧",
    "\t",
    "\r\n",
    "${x}",
    "{{7*7}}",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "\\",
];

/// A row of numbers that look random and are the same every time.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    }
}

fn query(next: &mut impl FnMut(usize) -> usize) -> String {
    let mut text = String::new();
    for _ in 0..next(24) {
        match next(8) {
            0 => text.extend(char::from_u32(next(0x11_0000) as u32)),
            _ => text.push_str(PIECES[next(PIECES.len())]),
        }
        if next(3) > 0 {
            text.push(' ');
        }
    }
    if next(100) == 0 { text.repeat(200) } else { text }
}

#[test]
fn ten_thousand_hostile_queries_are_answered() {
    let pond = corpus(POND);
    let mut next = numbers(0x9e37_79b9_7f4a_7c15);
    let options = SearchOptions {
        facets: true,
        explain: true,
        diversity: Some(0.5),
        ..SearchOptions::default()
    };
    for _ in 0..QUERIES {
        let text = query(&mut next);
        let parsed = Query::parse(&text);
        assert!(parsed.clauses().len() <= 64, "{text}");
        let results = pond.index.search(&parsed, &options).unwrap();
        assert!(results.hits.len() == results.total && results.total <= 4, "{text}");
        let _ = typed_url(&text);
        if next(5) == 0 {
            pond.index.spelling(&text).unwrap();
            assert!(pond.index.suggest(&text, 5).unwrap().len() <= 5, "{text}");
            assert!(pond.index.related(&text, 5).unwrap().len() <= 5, "{text}");
        }
    }
}
