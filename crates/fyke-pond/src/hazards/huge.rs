//! Pages and headers that are too large.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Body};

const PAGE_SIZE: usize = 12 << 20;

pub const PAGE: Hazard = Hazard {
    name: "huge-page",
    hosts: &["huge.test"],
    what: "/huge is a page of 12 MB. A good crawler stops at its size limit, or reads it in \
           bounded memory.",
    answer: |pond, ask| {
        let answer = prose::small_host(pond, ask, "A long roll", &[("/huge", "The roll")])?;
        if ask.path != "/huge" {
            return Some(answer);
        }
        let mut html = b"<!DOCTYPE html><title>The roll</title><body>\n".to_vec();
        let paragraph = format!("<p>{}</p>\n", prose::text(pond, "huge", 100));
        while html.len() < PAGE_SIZE {
            html.extend_from_slice(paragraph.as_bytes());
        }
        Some(Answer { body: Body::Bytes(html), kind: AnswerKind::Other, ..answer })
    },
    links: &[("http://huge.test/", "A long roll")],
    ..PLAIN
};

pub const HEADERS: Hazard = Hazard {
    name: "huge-headers",
    hosts: &["headers.test"],
    what: "/many sends two thousand headers, /long a header of 1 MB. A good crawler refuses or \
           skips them in bounded memory and goes on.",
    answer: |pond, ask| {
        let pages = [("/many", "Many labels"), ("/long", "A long label")];
        let answer = prose::small_host(pond, ask, "Labels", &pages)?;
        let extra = match ask.path {
            "/many" => vec![("x-label", "a label like any other".to_owned()); 2000],
            "/long" => vec![("x-label", "label ".repeat((1 << 20) / 6))],
            _ => return Some(answer),
        };
        let headers = answer.headers.into_iter().chain(extra).collect();
        Some(Answer { headers, kind: AnswerKind::Other, ..answer })
    },
    links: &[("http://headers.test/", "Labels")],
    ..PLAIN
};
