//! Pages: charset, content encodings, HTML and what is made of it.

use crate::{first_line, markup, text};
use fyke_formats::{parse, skim, skim_seen, skim_with_fingerprint};
use fyke_web::document::content;
use fyke_web::extract::ExtractSelectors;
use fyke_web::{
    Capture, ExtractRule, ExtractRules, Page, REFINERS, SeenSkim, SkimEvent, Url,
    charset as charsets, copy, fingerprint,
};

/// The first line is a Content-Type, the rest a text.
pub fn charset(bytes: &[u8]) {
    let (kind, body) = first_line(bytes);
    let kind = text(kind);
    for kind in [None, Some(kind.as_ref())] {
        let borrowed = charsets::read(body.into(), kind);
        let owned = charsets::read(body.to_vec().into(), kind);
        assert_eq!(borrowed.text, owned.text);
        assert_eq!((borrowed.charset, borrowed.guessed), (owned.charset, owned.guessed));
        assert!(!borrowed.charset.is_empty() && borrowed.text.len() <= 4 * body.len() + 4);
    }
    assert!(charsets::decode_as(body, &kind).len() <= 4 * body.len() + 4);
    let _ = charsets::is_known(&kind);
}

const MOST_BODY: usize = 1 << 16;

/// The first line is a Content-Encoding, the rest a payload.
pub fn content_coding(bytes: &[u8]) {
    let (coding, payload) = first_line(bytes);
    let capture =
        capture(vec![("Content-Encoding".to_owned(), text(coding).into_owned())], payload);
    let (body, _) = capture.body(MOST_BODY);
    assert!(body.len() <= MOST_BODY);
    if coding.contains(&b',') {
        // The limit holds for each coding, and of a beginning that is too short nothing can be unpacked.
        return;
    }
    let (shorter, is_cut) = capture.body(body.len() / 2);
    assert!(body.starts_with(&shorter), "a lower limit gives the beginning");
    assert!(is_cut || shorter.len() == body.len());
}

fn capture(headers: Vec<(String, String)>, payload: &[u8]) -> Capture {
    let url = Url::parse("http://a.test/d/e.html?q=1").expect("a URL");
    Capture { url, time: 0, status: 200, headers, payload: payload.to_vec(), truncated: None }
}

fn html(bytes: &[u8]) -> Capture {
    let kind = "text/html; charset=utf-8".to_owned();
    capture(vec![("Content-Type".to_owned(), kind)], bytes)
}

/// A page of HTML in UTF-8.
pub fn page(bytes: &[u8]) {
    let capture = html(bytes);
    let page = parse(&capture);
    assert!(fyke_web::scripted(&page.content).words <= fyke_web::MANY_WORDS);
    agrees(&capture, &page);
    let copied = copy(&page, &capture.url, &mut markup::escape);
    if let Err(why) = markup::harmless(&copied) {
        panic!("{why} in {copied}");
    }
}

/// What a crawl reads of a page is what stands in it.
fn agrees(capture: &Capture, page: &Page) {
    let skimmed = skim(capture);
    let (printed, print) = skim_with_fingerprint(capture);
    let SeenSkim { skim: seen, fingerprint: seen_print, order } =
        skim_seen(capture, &mut |_: SkimEvent<'_>| {});
    let links = page.links.iter().map(|link| (&link.url, link.nofollow)).collect::<Vec<_>>();
    for (skim, way) in [(&skimmed, "bare"), (&printed, "with a fingerprint"), (&seen, "seen")] {
        let of_skim = skim.links.iter().map(|link| (&link.url, link.nofollow)).collect::<Vec<_>>();
        assert_eq!(of_skim, links, "{way}");
        assert_eq!(
            (skim.format, &skim.title, &skim.trouble),
            (page.format, &page.title, &page.trouble),
            "{way}"
        );
        assert_eq!((&skim.canonical, &skim.refresh), (&page.canonical, &page.refresh), "{way}");
        assert_eq!(
            (skim.noindex, skim.nofollow, skim.lists_pages),
            (page.noindex, page.nofollow, page.lists_pages),
            "{way}"
        );
        assert_eq!(skim.notes, page.notes, "{way}");
    }
    assert_eq!((print, seen_print), (fingerprint(page.format, &page.content), print));
    assert_eq!(order.len(), links.len());
    assert!(page.links.len() <= capture.payload.len());
    assert!(page.links.iter().all(|link| link.anchor.chars().count() <= 200));
}

/// Lines of headers, then an empty one and a page.
pub fn page_headers(bytes: &[u8]) {
    let (mut headers, mut rest) = (Vec::new(), bytes);
    loop {
        let (line, behind) = first_line(rest);
        rest = behind;
        let line = text(line);
        let Some((name, value)) = line.split_once(':') else { break };
        headers.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    let capture = capture(headers, rest);
    let page = parse(&capture);
    agrees(&capture, &page);
    let _ = capture.redirect();
}

/// A page of HTML in UTF-8.
pub fn refine(bytes: &[u8]) {
    let capture = html(bytes);
    let page = parse(&capture);
    for refiner in REFINERS {
        let found = content(&capture, &page, refiner);
        let room = 4 * bytes.len() + 4;
        assert!(found.text.len() <= room && found.comments.len() <= room, "{}", refiner.name);
        assert!(found.title.len() <= 1_000);
    }
    let document = fyke_web::refine(&capture, &page);
    assert_eq!(document, fyke_web::refine(&capture, &page), "the same page, another document");
}

/// Lines with a pattern and the selectors of what to keep, to drop, the title and the date; the rest is a page of HTML.
pub fn extract(bytes: &[u8]) {
    let (pattern, rest) = first_line(bytes);
    let (keep, rest) = first_line(rest);
    let (drop, rest) = first_line(rest);
    let (title, rest) = first_line(rest);
    let (date, rest) = first_line(rest);
    let [pattern, keep, drop, title, date] = [pattern, keep, drop, title, date].map(text);
    let selectors = ExtractSelectors { keep: &keep, drop: &drop, title: &title, date: &date };
    let Ok(rule) = ExtractRule::new(&pattern, &selectors) else { return };
    let capture = html(rest);
    let page = parse(&capture);
    let left = rule.apply(&page.content);
    // Between parts that stood apart there is a tag of ours.
    let room = page.content.len() + "<hr>".len() * left.kept;
    assert!(left.markup.len() <= room && left.title.len() <= 1_000 && left.date.len() <= 1_000);
    if keep.is_empty() && left.dropped == 0 {
        assert_eq!(left.kept, 0);
    }
    let rules: ExtractRules = [rule].into_iter().collect();
    let document = fyke_web::refine_ruled(&capture, &page, &REFINERS[0], &rules);
    assert!(document.text.len() <= 4 * bytes.len() + 4);
}

/// Markup with forms.
pub fn forms(bytes: &[u8]) {
    let url = Url::parse("http://a.test/x/?y").expect("a URL");
    let found = fyke_web::forms(&text(bytes), &url);
    assert!(found.len() <= 20);
    for form in found {
        assert!(form.fields.len() <= 64 && form.words.len() <= 2_048);
        assert!(
            form.fields.iter().all(|field| !field.name.is_empty() && field.options.len() <= 512)
        );
    }
}

/// A description of a search form.
pub fn opensearch(bytes: &[u8]) {
    let _ = fyke_web::opensearch::parse(&text(bytes));
}
