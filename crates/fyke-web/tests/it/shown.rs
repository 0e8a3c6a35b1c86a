//! What a reader is shown of a page: its words, and where links, blocks and headings begin and end.

use crate::capture;
use fyke_formats::skim_seen;
use fyke_web::{SeenSkim, SkimEvent};
use proptest::prelude::*;

/// The page as it was shown: links in square brackets, headings in braces, a stroke between blocks.
fn shown(html: &str) -> String {
    let capture = capture("http://a.test/", "Content-Type: text/html", html.as_bytes());
    let mut shown = String::new();
    let _ = skim_seen(&capture, &mut |seen: SkimEvent<'_>| match seen {
        SkimEvent::Link => shown.push('['),
        SkimEvent::LinkEnd => shown.push(']'),
        SkimEvent::Block => shown.push('/'),
        SkimEvent::Heading => shown.push('{'),
        SkimEvent::HeadingEnd => shown.push('}'),
        SkimEvent::Passed(_) => shown.push('.'),
        SkimEvent::Word(_, word) | SkimEvent::Anchor(_, word) => {
            shown += word;
            shown.push(' ');
        }
    });
    shown
}

#[test]
fn links_blocks_and_headings_are_shown_where_they_stand() {
    let check = |html: &str, expected: &str| assert_eq!(shown(html), expected, "{html}");
    check("see <a href=/x>the <b>eel</b></a> there", "see [the eel ]there ");
    check("<h1>Fish</h1><p>an <a href=/x>eel</a><li>more", "{Fish }/an [eel ]/more ");
    check("<a href=/x>open <a href=/y>next</a>", "[open ][next ]");
    check("<a href=/x><img src=i alt='an eel'></a>", "[an eel ]");
    check("<map><area href=/x alt=pond></map> by", "[pond ]by ");
    check("<title>pond</title><script>no</script><a href=/x>b</a>", "pond /[b ]");
    check("<a href=mailto:x>no link</a> <span>here</span>", "no link here ");
}

#[test]
fn of_a_long_text_most_words_are_shown_by_their_hashes_alone() {
    let html = format!(
        "{}<p>{}<p>long <a href=/x>eel</a>",
        "a <i>word</i> ".repeat(400),
        "of it ".repeat(9)
    );
    let shown = shown(&html);
    assert!(shown.contains(".") && shown.ends_with("[eel ]"), "{shown}");
}

proptest! {
    #[test]
    fn every_link_of_a_page_is_one_that_was_shown_and_all_are_closed(
        html in prop::collection::vec(
            prop::sample::select(vec![
                "<a href=/x>", "<a href=/y>", "</a>", "<h1>", "</h1>", "<li>", "č", " word ", "&amp", "<",
                "<img alt=i>", "<area href=/z alt=z>", "<title>", "</title>",
            ]),
            0..40,
        )
    ) {
        let html = html.concat();
        let capture = capture("http://a.test/", "Content-Type: text/html", html.as_bytes());
        let (mut begun, mut ended) = (0, 0);
        let SeenSkim { skim: page, order, .. } = skim_seen(&capture, &mut |seen: SkimEvent<'_>| {
            begun += u32::from(seen == SkimEvent::Link);
            ended += u32::from(seen == SkimEvent::LinkEnd);
        });
        prop_assert_eq!(begun, ended);
        prop_assert_eq!(order.len(), page.links.len());
        prop_assert!(order.iter().all(|nth| *nth < begun));
    }
}
