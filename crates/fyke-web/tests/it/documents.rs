//! Documents: main text, headings, title.

use crate::capture;
use fyke_formats::{open, parse};
use fyke_web::document::{Content, content};
use fyke_web::extract::ExtractSelectors;
use fyke_web::{ExtractRule, ExtractRules, REFINERS, blocks, refine, refine_ruled};
use proptest::prelude::*;

const EEL: &str = "The eel leaves the sea as a thin glass needle and goes up the river by night.";
const REED: &str = "Reeds grow along the bank, and in their shade the small fish wait for evening.";

fn found(html: &str) -> Content {
    let capture = capture(
        "http://a.test/fish/the-eel.html",
        "Content-Type: text/html; charset=utf-8",
        html.as_bytes(),
    );
    let page = parse(&capture);
    let found = content(&capture, &page, &REFINERS[0]);
    let alone = open(&capture).content(&REFINERS[0]);
    assert_eq!(alone.found, found, "{html}");
    assert_eq!(alone.declared_language, page.declared_language, "{html}");
    found
}

fn check(html: &str, expected: &str) {
    assert_eq!(found(html).text, expected, "{html}");
}

#[test]
fn navigation_sidebar_footer_and_comments_stay_outside() {
    let page = format!(
        "<title>The eel</title><body><header><a href=/>Home</a></header>\
         <nav><ul><li><a href=/1>Rivers</a>\
         <li><a href=/2>Lakes and the fish that live in them</a></ul></nav>\
         <div class=wrap><div id=content><h1>The eel</h1><p>{EEL}</p><h2>Reeds</h2>\
         <p>{REED}</p></div>\
         <div class=sidebar>\
         <p>Subscribe to our letter about rivers, lakes and all that swims in them today.</p></div>\
         <section class=comments><h3>Comments</h3>\
         <p>I saw one last summer near the old mill and it was long.</p></section>\
         </div><footer>\
         <p>Copyright of the club, all rights reserved, since nineteen hundred.</p></footer>"
    );
    let document = found(&page);
    assert_eq!(document.text, format!("The eel\n{EEL}\nReeds\n{REED}"));
    assert_eq!(document.headings, "The eel\nReeds");
    assert_eq!(document.title, "The eel");
}

#[test]
fn the_article_holds_the_text() {
    let text = [EEL, "Short end.", REED, EEL, REED, EEL, REED];
    let page = format!(
        "<p>{REED} Not of the article, though it is long and has no links at all.</p>\
         <article><header><h1>Eels</h1></header><p>{}</p></article>",
        text.join("</p><p>")
    );
    let found = found(&page).text;
    assert!(found.ends_with(&text.join("\n")), "{found}");
    assert!(!found.contains("Not of the article"), "{found}");
}

#[test]
fn markup_inside_words_and_hidden_text_leave_no_trace() {
    check(
        &format!(
            "<p>{}</p><p hidden>{REED}</p><noscript>{REED}</noscript>\
             <script>var x = 1 < 2;</script>",
            EEL.replace("eel", "e<b>e</b>l").replace("night", "n&#105;ght")
        ),
        EEL,
    );
}

#[test]
fn line_breaks_part_old_pages_into_blocks() {
    check(&format!("<body>{EEL}<br><br>{REED}<br>{EEL}"), &format!("{EEL}\n{REED} {EEL}"));
}

#[test]
fn lists_and_tables_inside_a_text_are_kept() {
    let page = format!(
        "<p>{EEL}</p><ul><li>pike<li>perch</ul><table><tr><td>roach<td>bream</table><p>{REED}</p>"
    );
    check(&page, &format!("{EEL}\npike\nperch\nroach\tbream\n{REED}"));
}

#[test]
fn misleading_class_names_do_not_lose_the_text() {
    check(
        &format!("<div class='page menu-open sidebar'><p>{EEL}</p><p>{REED}</p></div>"),
        &format!("{EEL}\n{REED}"),
    );
}

#[test]
fn a_page_of_links_keeps_its_links() {
    check("<ul><li><a href=/1>Pike</a><li><a href=/2>Perch</a></ul>", "Pike\nPerch");
}

#[test]
fn a_missing_title_is_found_elsewhere() {
    assert_eq!(found(&format!("<h1>Eels</h1><p>{EEL}")).title, "Eels");
    assert_eq!(
        found(&format!("<meta property=og:title content='Of eels'><p>{EEL}")).title,
        "Of eels"
    );
    assert_eq!(found(&format!("<p>{EEL}")).title, "the eel");
}

#[test]
fn plain_text_and_xml_give_all_their_text() {
    let text = capture(
        "http://a.test/a.txt",
        "Content-Type: text/plain",
        b"AT&amp;T  one\n two\n\n\nthree <b>\n",
    );
    assert_eq!(content(&text, &parse(&text), &REFINERS[0]).text, "AT&amp;T one two\nthree <b>");
    let xml =
        b"<?xml version='1.0'?><rss><title>Fish &amp; co</title><p><![CDATA[a < b]]></p></rss>";
    let xml = capture("http://a.test/feed", "Content-Type: text/xml", xml);
    assert_eq!(content(&xml, &parse(&xml), &REFINERS[0]).text, "Fish & co\na < b");
}

#[test]
fn a_document_is_made_of_its_main_text() {
    let page = capture(
        "http://a.test/?b=1&a=2",
        "Content-Type: text/html; charset=utf-8",
        format!("<html lang=en><title>Eels</title><nav>menu</nav><p>{EEL}</p>").as_bytes(),
    );
    let copy = capture(
        "http://b.test/copy",
        "Content-Type: text/html",
        format!("<nav>Copy</nav><div><p>{EEL}</p></div><footer>other</footer>").as_bytes(),
    );
    let (document, copied) = (refine(&page, &parse(&page)), refine(&copy, &parse(&copy)));
    assert_eq!((document.id, document.url.as_str()), (page.url.id(), "http://a.test/?b=1&a=2"));
    assert_eq!((document.title.as_str(), document.text.as_str()), ("Eels", EEL));
    assert_eq!((document.time, document.charset.as_str()), (page.time, "UTF-8"));
    assert_eq!((document.words, document.language.as_str()), (17, "en"));
    assert_eq!((document.checksum, &document.sketch), (copied.checksum, &copied.sketch));
    assert_ne!(document.id, copied.id);
}

/// A tag, opened or closed, or some text.
const PIECE: &str = "(</?(div|p|li|table|td|tr|article|main|a|h1|br|ul|head|select|pre)\
    ( class=(nav|comment))?>)|[a-zč&; ]{0,30}";

proptest! {
    #[test]
    fn refining_never_fails(pieces in prop::collection::vec(PIECE, 0..60)) {
        let html = pieces.concat();
        let capture = capture("http://a.test/", "Content-Type: text/html", html.as_bytes());
        let page = parse(&capture);
        for refiner in REFINERS {
            let found = content(&capture, &page, refiner);
            prop_assert!(!found.text.ends_with(' '));
            let alone = open(&capture).content(refiner);
            prop_assert_eq!(&alone.found, &found);
            prop_assert_eq!(&alone.declared_language, &page.declared_language);
        }
    }
}

#[test]
fn what_stands_out_and_what_the_page_says_of_itself_are_told_apart() {
    let page = format!(
        "<title>The eel</title><meta property='og:description' content='for others'>\
         <meta name=Description content=' Eels  of the\nupper river '>\
         <nav><a href=/><b>Home</b></a></nav><h1>The <em>eel</em></h1>\
         <p>{EEL} <strong>Glass needle</strong> it is called.</p><p>{REED}</p>\
         <footer><b>All rights reserved</b></footer>"
    );
    let document = found(&page);
    assert_eq!(document.emphasis, "Glass needle");
    assert_eq!(document.description, "Eels of the upper river");
    let capture = capture("http://a.test/", "Content-Type: text/plain", EEL.as_bytes());
    let document = refine(&capture, &parse(&capture));
    assert_eq!((document.format.as_str(), document.emphasis.as_str()), ("text", ""));
}

#[test]
fn a_document_tells_which_blocks_of_its_page_it_is_made_of() {
    let html = format!(
        "<nav><a href=/>Home</a></nav><div id=page><h1>Eels</h1><p>{EEL}</p><ul><li>one<li>two</ul>\
         <p class=promo>{REED}</p><pre>a\n  b</pre><table><tr><td>c<td>d</table></div><p>{EEL}</p>"
    );
    let capture = capture("http://a.test/x", "Content-Type: text/html", html.as_bytes());
    let page = parse(&capture);
    let selectors =
        ExtractSelectors { keep: "#page", drop: ".promo", ..ExtractSelectors::default() };
    let rules: ExtractRules =
        [ExtractRule::new("a.test", &selectors).unwrap()].into_iter().collect();
    let blocks = blocks(&page.content);
    let ruled = refine_ruled(&capture, &page, &REFINERS[0], &rules);
    // Without the link home, the advertisement and what stands outside the element that is kept.
    assert_eq!(ruled.kept_of(&blocks), [1, 2, 3, 4, 6, 7, 8]);
    let own = refine(&capture, &page);
    assert_eq!(own.kept_of(&blocks), (REFINERS[0].run)(&blocks));
}
