//! What a crawl looks for besides a subject (002 §2): URLs of a pattern, or research papers.

use crate::config::{TargetKeys, TargetKind};
use fyke_crawl::{ScopeError, Targets};
use fyke_derive::page::papers::paper_lines;
use fyke_formats::parse;
use fyke_papers::verdict::{PaperVerdict, judge, may_be_paper};
use fyke_web::Capture;

/// Beginnings of HTML, in small letters.
const HTML: [&[u8]; 2] = [b"<!doctype html", b"<html"];

/// What a crawl with these settings looks for; nothing where they name nothing.
///
/// # Errors
/// When a pattern cannot be read.
pub(crate) fn targets(keys: &TargetKeys) -> Result<Option<Targets>, ScopeError> {
    match keys {
        _ if keys.is_empty() => Ok(None),
        TargetKeys::Kind(TargetKind::Papers) => papers().map(Some),
        TargetKeys::Patterns(patterns) => Targets::new(patterns, None).map(Some),
    }
}

/// Research papers. Most that can be had stand in files of these kinds, and home pages of people, lists of publications
/// and reports lead to them (002 §2).
///
/// # Errors
/// None; a pattern could be wrong.
pub fn papers() -> Result<Targets, ScopeError> {
    const FILES: [&str; 5] = ["**/*.pdf", "**/*.ps", "**/*.ps.gz", "**/*.ps.Z", "**/*.dvi"];
    const WAYS: [&str; 9] = [
        "**/~*/",
        "**/people*/**",
        "**/people*",
        "**/faculty*/**",
        "**/*publication*",
        "**/*publication*/**",
        "**/{pubs,papers,tr,reports,techreports,preprints}*",
        "**/{pubs,papers,tr,reports,techreports,preprints}/**",
        "**/research*",
    ];
    Targets::new(&[], Some(is_paper))?.likely_at(&FILES, &WAYS)
}

/// Whether a capture is a research paper. Most pages of HTML are none by a glance.
#[must_use]
pub fn is_paper(capture: &Capture) -> bool {
    let may_be = || may_be_paper(&String::from_utf8_lossy(&capture.payload));
    (!is_html(&capture.payload) || may_be()) && paper_verdict(capture).is_paper
}

fn is_html(payload: &[u8]) -> bool {
    let text = payload.trim_ascii_start();
    HTML.iter()
        .any(|open| text.len() >= open.len() && text[..open.len()].eq_ignore_ascii_case(open))
}

/// Whether a capture is a research paper, with what speaks for it.
#[must_use]
pub fn paper_verdict(capture: &Capture) -> PaperVerdict {
    judge(&paper_lines(&parse(capture)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_web::Url;

    #[test]
    fn pages_without_a_list_of_references_are_none() {
        let capture = |html: &str| Capture {
            url: Url::parse("http://a.test/").unwrap(),
            time: 0,
            status: 200,
            headers: vec![("Content-Type".into(), "text/html".into())],
            payload: html.into(),
            truncated: None,
        };
        assert!(!is_paper(&capture("<!DOCTYPE html><p>We fish.")));
        let paper = format!(
            "<html><h1>Nets by night</h1><p>Ann Fisher<p>University of Dover<h2>Abstract</h2><p>We fish.\
             <h2>1 Introduction</h2><p>{}Nets are old [1, 2].<h2>2 Results</h2><p>Many [3].<h2>3 Conclusions</h2>\
             <p>None.<h2>References</h2><p>[1] A. Fisher. Nets. 1999.<p>[2] B. Hook. Lines. 1998.\
             <p>[3] C. Netter. Boats. 1997.",
            "Eels come by night. ".repeat(90)
        );
        assert!(is_paper(&capture(&paper)));
        assert!(!is_html(b"%PDF-1.4") && is_html(b"\n<HTML>"));
    }
}
