//! What is a paper and what is none, as texts; and that any text gets a verdict.

use super::*;
use crate::paper::tests::lines;
use proptest::prelude::*;
use std::fmt::Write as _;

/// So many words in lines of ten.
fn prose(words: usize) -> String {
    let line = "nets catch eels by night where rivers meet the sea";
    vec![line; words / 10].join("\n") + "\n"
}

fn listed(count: usize) -> String {
    let mut text = String::new();
    for at in 1..=count {
        let year = 1950 + at % 50;
        let _ = writeln!(text, "[{at}] A. Fisher. Nets of kind {at}. Journal of Tides, {year}.");
    }
    text
}

const TOP: &str = "Fishing by Night\nAnn Fisher\nUniversity of Dover\nann@cs.dover.edu\n\n";

fn paper() -> String {
    let (body, list) = (prose(500), listed(8));
    format!(
        "{TOP}Abstract\nWe fish with nets.\n\n1 Introduction\nNets are old [1]. Hooks, too [2, 3].\n{body}\n\
         2 Nets\n{body}As Fisher (1987) says [4].\n3 Conclusion\nWe fished [5].\n\nReferences\n{list}"
    )
}

/// A text, and what its note says; nothing of a paper.
fn check(text: &str, note: &str) {
    let found = judge(&lines(text));
    let head: String = text.chars().take(60).collect();
    assert_eq!(found.is_paper, note.is_empty(), "{head}: {found:?}");
    assert!(found.note.contains(note), "{head}: {found:?}");
    assert_eq!(found.is_paper, found.note.is_empty());
}

#[test]
fn papers_of_several_kinds_are_papers() {
    check(&paper(), "");
    let (body, list) = (prose(900), listed(6));
    // A letter without an abstract's heading.
    check(
        &format!(
            "{TOP}{body}I. INTRODUCTION\nEels [1], [2-4].\nII. NETS\n{body}As [5] and [6].\nREFERENCES\n{list}"
        ),
        "",
    );
    // No headings of sections, cited by name and year.
    let cited = "Nets are old (Fisher, 1971; Hook, 1972). Netter and Hook (1980) and Hook et al. (1981) fish. \
                 So do others (see Angler 1999) and (Hook 1990a).\n";
    check(
        &format!(
            "{TOP}Abstract. We fish with nets and find that eels prefer wide ones.\n\n{body}{cited}\nBibliography\n{list}"
        ),
        "",
    );
    // A page of HTML has headings and blocks.
    check(
        &format!(
            "# Fishing by Night\nAnn Fisher, University of Dover\n# Abstract\nWe fish.\n# 1 Introduction\n{body}See [1, 2], [3].\n# 2 Conclusions\n{body}# References\n{list}"
        ),
        "",
    );
    check(
        &format!(
            "Fische\nAnna Fischer, Universität Kiel\nZusammenfassung\nWir fischen [1] [2].\n1 Einleitung\n{body}2 Netze\n{body}[3]\nLiteratur\n{list}"
        ),
        "",
    );
}

#[test]
fn what_is_no_paper_says_why() {
    check("", "no text");
    check("Dear Ann,\nwe meet at noon.", "too short");
    let (body, long) = (prose(900), prose(6_000));
    let list = listed(8);
    check(&format!("# Publications of A. Fisher\n# References\n{}", listed(200)), "a list");
    check(
        &format!("# Theses in Dover\nUniversity of Dover\n# Bibliography\n{}", listed(300)),
        "a list",
    );
    check(&format!("# Nets by night\n{body}"), "no abstract and no references");
    check(
        &format!(
            "# fyke\n{body}\n# Installation\ncargo\n# Usage\nfyke new\n# References\n{list}# License\nMIT"
        ),
        "no abstract",
    );
    check(
        &format!(
            "# Eel\nFrom Wikipedia\nAn eel[1] is a fish[2].[3][4][5]\n{long}# See also\n# References\n{list}# External links\nx"
        ),
        "a heading \u{201C}from wikipedia\u{201D}",
    );
    check(
        &format!(
            "# CS 101: Nets\nUniversity of Dover\nann@cs.dover.edu\n# Office hours\nnoon\n# Grading\n{body}# Homework\n1\n# References\n{list}"
        ),
        "no abstract",
    );
    // The page of a paper in a library: its abstract and its references, and not its text.
    check(&format!("{TOP}Abstract\n{}\nReferences\n{}", prose(400), listed(20)), "no text but");
    let memo = format!("Status of this Memo\n{body}");
    check(
        &format!("Network Group\n{memo}1 Terms\n{body}References\n{list}"),
        "status of this memo",
    );
}

#[test]
fn books_slides_and_volumes_are_told_by_their_pages() {
    let pages = |count: usize, words: usize| {
        let page = format!("\u{0C}\n{}", prose(words));
        page.repeat(count)
    };
    check(&format!("{}{}", paper(), pages(2_000, 140)), "a book: 2001 pages");
    check(&format!("{}{}", paper(), pages(300, 600)), "a book");
    check(&format!("{TOP}{}References\n{}", pages(40, 20), listed(5)), "slides: 41 pages");
    check(&vec![paper(); 6].join("\u{0C}\n"), "several papers");
    // A thesis is a long paper.
    let body = pages(120, 300);
    check(&paper().replace("2 Nets", &format!("2 Nets\n{body}")), "");
}

#[test]
fn the_evidence_is_told_in_short_words() {
    let found = judge(&lines(&paper()));
    let all = found.evidence.join(" · ");
    for words in ["abstract", "8 references", "5 citations", "3 numbered sections", "institution"] {
        assert!(all.contains(words), "{all}");
    }
    assert!(found.score > 0.8, "{found:?}");
}

#[test]
fn a_glance_passes_over_ordinary_pages() {
    let check = |text: &str, expected: bool| assert_eq!(may_be_paper(text), expected, "{text}");
    check("<h2>Abstract</h2>We fish.<h2>References</h2>", true);
    check("1 INTRODUCTION\nNets.\nREFERENCES\n[1] A. Fisher", true);
    check("Set your Preferences. Abstract. preferences, references", false);
    check("<h1>Introduction</h1> to nets", false);
    check("", false);
    let note = "Eels<sup>1</sup> and pike<sup>2</sup>. <p><sup>1</sup> A. Fisher. <p><sup>2</sup> B. Hooker.";
    check(&format!("<h2>Abstract</h2>{note}"), true);
    check("<h2>Abstract</h2> 5 m<sup>2</sup>", false);
}

#[test]
fn citations_are_counted() {
    let check = |text: &str, expected: usize| {
        let found = judge(&lines(&format!("{text}\n{}", prose(700))));
        let counted = found.evidence.iter().find_map(|said| {
            said.strip_suffix(" citations").or_else(|| said.strip_suffix(" citation"))
        });
        assert_eq!(counted.map_or(0, |count| count.parse().unwrap()), expected, "{text}");
    };
    check("Nets [1] and hooks [2, 4-6] and [Fis99; AB+01].", 3);
    check("By Fisher (1987), Hook et al. (1988) and others (Netter, 1990).", 3);
    check("a[i] and [note] and (1987) and (see below) (c) 1999 [", 0);
}

proptest! {
    #[test]
    fn any_text_gets_a_verdict(text in "([\\PC]{0,20}|References|Abstract|1 Introduction|\\[1\\] A. B. C 1999.|\\(A, 19|\n|\u{0C}){0,40}") {
        let found = judge(&lines(&text));
        prop_assert!((0.0..=1.0).contains(&found.score) && found.is_paper == found.note.is_empty());
        let _ = may_be_paper(&text);
    }
}
