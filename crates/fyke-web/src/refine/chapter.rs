//! Chapters of manuals whose ids are made of their headings: `comment-syntax` or `related-settings` says what the chapter is
//! about, not that readers comment there or that it leads elsewhere (003 §3.8 would lose it as noise).
//!
//! Only where the page is documentation, and most of its headings spell their ids: on other pages a part with the id
//! `related-articles` has just that heading.

use super::block::{BlockKind, Blocks, PartById, inside, place};
use super::comments::is_comment;
use super::genre::{Genre, genre};

/// Headings that spell their ids, from which on a page makes ids of its headings.
const SPELLED: usize = 3;

/// Takes away what ids of chapters seem to tell.
pub(super) fn correct(blocks: &mut Blocks) {
    let mut parts = std::mem::take(&mut blocks.by_id);
    parts.retain(|part| is_chapter(blocks, part));
    if parts.is_empty() || genre(blocks) != Genre::Documentation || !spells_ids(blocks) {
        return;
    }
    for part in &parts {
        blocks.elements[part.element as usize].own &= !part.by_id;
    }
    let mut places: Vec<u32> = Vec::with_capacity(blocks.elements.len());
    for element in &blocks.elements {
        let around = places.get(element.parent as usize).copied().unwrap_or_default();
        places.push(inside(around, element.own));
    }
    blocks.list.iter_mut().for_each(|block| block.places = places[block.element as usize]);
}

/// Whether a part begins with a heading that spells its id, and is not what readers say.
fn is_chapter(blocks: &Blocks, part: &PartById) -> bool {
    let Some(first) = blocks.list.get(part.block) else { return false };
    let id = part.id.to_lowercase().replace(['_', '.', ' '], "-");
    let is_talk = part.by_id & place::COMMENT != 0 && (!id.contains('-') || is_comment(&id));
    let is_heading = matches!(first.kind, BlockKind::Heading(_));
    is_heading && !is_talk && is_spelled(&part.id, blocks.text_of(first))
}

/// Whether most headings that have an id spell it.
fn spells_ids(blocks: &Blocks) -> bool {
    let headings = blocks.anchors.iter().filter_map(|(at, anchor)| {
        let block = &blocks.list[*at as usize];
        let is_heading = matches!(block.kind, BlockKind::Heading(_));
        is_heading.then(|| is_spelled(anchor, blocks.text_of(block)))
    });
    let (mut all, mut spelled) = (0, 0);
    headings.for_each(|is| (all, spelled) = (all + 1, spelled + usize::from(is)));
    spelled >= SPELLED && 2 * spelled >= all
}

/// Whether an id is made of a heading, but for numbers before either and signs between the words.
fn is_spelled(id: &str, heading: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (id, heading) = (letters(id), letters(heading));
    !id.is_empty() && heading.trim_start_matches(|c: char| c.is_ascii_digit()).ends_with(&id)
        || heading.chars().count() > 3 && id.ends_with(&heading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refine::blocks;

    /// A manual with these chapters: id and heading.
    fn manual(chapters: &[(&str, &str)]) -> String {
        let chapter = |(id, heading): &(&str, &str)| {
            format!(
                "<section id=\"{id}\"><h2>{heading}</h2><p>The eel trap closes when its wings \
                 have been hauled in, as the option says.</p><pre>haul --wings\nhaul --bag</pre></section>"
            )
        };
        let chapters: String = chapters.iter().map(chapter).collect();
        format!("<div class=document>{chapters}</div>")
    }

    /// Whether the text of the chapter with the last heading is noise by its place.
    #[track_caller]
    fn check(html: &str, expected: bool) {
        let blocks = blocks(html);
        let last = blocks.list.iter().rfind(|block| block.kind == BlockKind::Paragraph).unwrap();
        assert_eq!(last.is_in(place::NOISE), expected, "{html}");
    }

    const ORDINARY: [(&str, &str); 3] =
        [("setting-out", "1. Setting out"), ("hauling", "2. Hauling"), ("mending", "3. Mending")];

    fn check_last(id: &str, heading: &str, expected: bool) {
        check(&manual(&[&ORDINARY[..], &[(id, heading)]].concat()), expected);
    }

    #[test]
    fn a_chapter_whose_heading_spells_its_id_is_no_noise() {
        check_last("comment-syntax", "4. Comment Syntax", false);
        check_last("discussion-of-mx-records", "3.5.2. Discussion of MX records", false);
        check_last("time-related-properties", "Time-Related Properties", false);
        check_last("download", "Download", false);
        check_last("how-is-a-comment-told", "How is a comment told?", false);
    }

    #[test]
    fn what_readers_say_and_what_has_another_heading_is_noise() {
        check_last("comments", "Comments", true);
        check_last("user-comments", "User comments", true);
        check_last("related-articles", "You may also like", true);
        check_last("newsletter", "Stay in touch", true);
    }

    #[test]
    fn where_ids_are_not_made_of_headings_they_tell_the_place() {
        let names = [("c1", "Setting out"), ("c2", "Hauling"), ("c3", "Mending")];
        check(&manual(&[&names[..], &[("related-articles", "Related articles")]].concat()), true);
        let news = manual(&[&ORDINARY[..], &[("related-articles", "Related articles")]].concat());
        check(&news.replace("<pre>", "<p>").replace("</pre>", ""), true);
    }

    #[test]
    fn the_id_of_a_term_says_nothing_of_its_place() {
        let html =
            "<dl><dt id=cmdoption-comments>--comments<dd>Prints the comments of each eel.</dl>";
        assert!(blocks(html).list.iter().all(|block| !block.is_in(place::NOISE)));
        let html = html.replace("id=", "class=x-");
        assert!(blocks(&html).list.iter().any(|block| block.is_in(place::NOISE)));
    }
}
