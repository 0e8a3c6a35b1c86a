//! Where readers comment: links there are not the author's, and a trackback is a comment that another page left
//! (003 §4.5.3). Known by class, id, microdata, and headings such as "3 comments" or "Trackbacks".
//!
//! A heading or an id that only says "comments" is not enough: so is called the chapter of a manual.

use super::block::BlockKind;
use super::element::{self, ElementRule};
use crate::html::{Tag, TagName, fold_into, name};
use aho_corasick::packed::Searcher;
use std::sync::LazyLock;

/// Deepest nesting that is followed.
const MOST_DEPTH: usize = 128;
/// Longest heading that is looked at, in bytes.
const MOST_HEADING: usize = 120;
/// Longest name that is looked up.
const MOST_NAME: usize = 24;

/// Elements that hold the content itself, whatever they are called.
const LANDMARKS: [TagName; 3] = [name("html"), name("body"), name("main")];
/// What stands in the markup of every page with comments, in one case or another.
const SIGNS: [&str; 15] = [
    "omment", "oment", "rackback", "ingback", "ping-", "pings", "pinglist", "esponse", "eplies",
    "hought", "disqus", "ivefyre", "eactie", "estbook", "estebuch",
];
/// All signs are looked for in one pass; none where the machine has no quick way to do that.
static SIGN_SEARCH: LazyLock<Option<Searcher>> = LazyLock::new(|| Searcher::new(SIGNS));
/// Names that a chapter may have as well, and that say nothing as an id.
const CHAPTERS: [&str; 8] = [
    "comment",
    "comments",
    "kommentar",
    "kommentare",
    "commentaires",
    "comentarios",
    "guestbook",
    "pings",
];

static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../data/comments.txt").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
});

/// An open element.
#[derive(Clone, Copy, Debug)]
struct OpenPart {
    name: TagName,
    kind: BlockKind,
    /// It stands where readers comment.
    is_comment: bool,
    /// The level of the heading behind which readers comment, in it.
    heading: Option<u8>,
}

/// Follows the elements of a page, and knows where readers comment.
#[derive(Debug)]
pub(crate) struct CommentZones {
    open: Vec<OpenPart>,
    /// Elements opened beyond the deepest nesting.
    beyond: usize,
    /// Of the heading that is open.
    heading: String,
}

impl CommentZones {
    /// Of a page; none where it surely has no comments.
    pub(crate) fn of(content: &str) -> Option<CommentZones> {
        let ground = OpenPart { name: 0, kind: BlockKind::Other, is_comment: false, heading: None };
        let may_have = SIGN_SEARCH.as_ref().is_none_or(|search| search.find(content).is_some());
        may_have.then(|| CommentZones { open: vec![ground], beyond: 0, heading: String::new() })
    }

    /// Whether what comes next stands where readers comment.
    pub(crate) fn is_inside(&self) -> bool {
        self.open.last().is_some_and(|part| part.is_comment || part.heading.is_some())
    }

    pub(crate) fn start(&mut self, tag: &Tag<'_>) {
        let Some(row) = element::look_up(tag.name) else { return };
        if self.beyond > 0 || self.open.len() >= MOST_DEPTH {
            self.beyond += 1;
            return;
        }
        self.close_for(row);
        if row.name == name("hr") {
            return;
        }
        if let (BlockKind::Heading(level), Some(around)) = (row.kind, self.open.last_mut()) {
            self.heading.clear();
            around.heading = around.heading.filter(|begun| *begun < level);
        }
        let is_named = !LANDMARKS.contains(&row.name) && is_named(tag);
        let is_comment = self.is_inside() || is_named;
        let (name, kind) = (row.name, row.kind);
        self.open.push(OpenPart { name, kind, is_comment, heading: None });
    }

    /// Ends elements whose end tags were left out.
    fn close_for(&mut self, row: &ElementRule) {
        while let [_, .., open] = &self.open[..]
            && element::ends(row, open.name, open.kind)
        {
            self.open.pop();
        }
        let kept = element::kept_open(row.name, self.open.iter().map(|open| open.name));
        self.open.truncate(kept.max(1));
    }

    pub(crate) fn text(&mut self, text: &str) {
        let top = self.open.last().map(|part| part.kind);
        if matches!(top, Some(BlockKind::Heading(_))) {
            fold_into(&mut self.heading, text, MOST_HEADING);
        }
    }

    pub(crate) fn end(&mut self, name: TagName) {
        if element::look_up(name).is_none() {
            return;
        }
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        let Some(at) = self.open.iter().rposition(|open| open.name == name) else { return };
        let kind = self.open[at].kind;
        self.open.truncate(at.max(1));
        if let (BlockKind::Heading(level), Some(around)) = (kind, self.open.last_mut())
            && begins_comments(&self.heading)
        {
            around.heading = Some(level);
        }
    }
}

/// Whether class, id or microdata call an element a comment, or a list of them.
fn is_named(tag: &Tag<'_>) -> bool {
    tag.attributes().any(|(name, value)| match name.len() {
        2 if name.eq_ignore_ascii_case("id") => names(value).any(|(name, is_numbered)| {
            is_comment(&name) && (is_numbered || !CHAPTERS.contains(&name.as_str()))
        }),
        5 if name.eq_ignore_ascii_case("class") => names(value).any(|(name, _)| is_comment(&name)),
        8 if name.eq_ignore_ascii_case("itemprop") => value.eq_ignore_ascii_case("comment"),
        8 if name.eq_ignore_ascii_case("itemtype") => {
            value.ends_with("schema.org/Comment") || value.ends_with("schema.org/UserComments")
        }
        _ => false,
    })
}

/// The names of a class or id without their numbers, and whether they had one: "li_Comment-12" is a comment.
fn names(value: &str) -> impl Iterator<Item = (String, bool)> {
    value.split_ascii_whitespace().filter(|word| word.len() <= 2 * MOST_NAME).map(|word| {
        let word = word.to_ascii_lowercase().replace('_', "-");
        let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered = name.len() < word.len();
        let name = name.trim_end_matches('-');
        let name = name.strip_prefix("li-").or_else(|| name.strip_prefix("div-")).unwrap_or(name);
        (name.to_owned(), is_numbered)
    })
}

/// Whether what readers leave on a page is called so.
pub(super) fn is_comment(name: &str) -> bool {
    name.len() <= MOST_NAME && NAMES.binary_search(&name).is_ok()
}

/// Whether what readers say stands behind this heading: "Trackbacks", "Comments (3)", "5 responses to “Eels”".
fn begins_comments(heading: &str) -> bool {
    const LISTS: [&str; 4] = ["trackback", "trackbacks", "pingback", "pingbacks"];
    const COUNTED: [&str; 17] = [
        "comment",
        "comments",
        "response",
        "responses",
        "reply",
        "replies",
        "thought",
        "thoughts",
        "kommentar",
        "kommentare",
        "commentaire",
        "commentaires",
        "comentario",
        "comentarios",
        "commenti",
        "reactie",
        "reacties",
    ];
    const ONE: [&str; 5] = ["one", "ein", "un", "uno", "een"];
    let text = heading.trim().to_lowercase();
    let bare = |word: &str| word.trim_matches(['(', ')', ':', '.', '[', ']']).to_owned();
    let words: Vec<String> = text.split_whitespace().take(5).map(bare).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_count = |word: &str| {
        ONE.contains(&word) || !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
    };
    match words[..] {
        [list] => LISTS.contains(&list),
        // "3 comments", "Comments (3)", "Trackbacks (3)"
        [first, second] => {
            let is_list = |word: &str| COUNTED.contains(&word) || LISTS.contains(&word);
            is_count(first) && is_list(second)
                || is_list(first) && is_count(second)
                || LISTS.contains(&first)
        }
        // The title of the page follows: other headings that count responses go on without quotes.
        [count, answers, _, quoted, ..] => {
            is_count(count)
                && COUNTED.contains(&answers)
                && quoted.starts_with(['"', '“', '‘', '„', '«', '\''])
        }
        // "Trackbacks and pingbacks"
        [first, _, third] => LISTS.contains(&first) && LISTS.contains(&third),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{HtmlToken, Scanner};

    /// The texts of the page that stand where readers comment.
    fn commented(html: &str) -> Vec<String> {
        let Some(mut zones) = CommentZones::of(html) else { return Vec::new() };
        let mut found = Vec::new();
        for token in Scanner::new(html) {
            match token {
                HtmlToken::Start(tag) => zones.start(&tag),
                HtmlToken::End(name) => zones.end(name),
                HtmlToken::Text(text) => {
                    zones.text(text);
                    if zones.is_inside() && !text.trim().is_empty() {
                        found.push(text.trim().to_owned());
                    }
                }
                _ => {}
            }
        }
        found
    }

    #[track_caller]
    fn check(html: &str, expected: &[&str]) {
        assert_eq!(commented(html), expected, "{html}");
    }

    #[test]
    fn comments_are_known_by_class_id_and_microdata() {
        check("<p>a<ol class=commentlist><li>b<li>c</ol><p>d", &["b", "c"]);
        check("<p>a<ul><li id=comment-12>b<li id=li-comment-13>c</ul>d", &["b", "c"]);
        check("<p>a<div id=disqus_thread>b</div>c", &["b"]);
        check("<div class='entry Comment'>b<div>c</div></div>d", &["b", "c"]);
        check("<div itemprop=comment itemscope>b</div>d", &["b"]);
        check("<article itemtype=https://schema.org/Comment>b</article>d", &["b"]);
        check("<ul class='pings x'><li>b</ul>d", &["b"]);
        check("<section class=kommentare>b</section>d", &["b"]);
        check("<p>a<div class=comments><p>b<p>c</div><p>d", &["b", "c"]);
    }

    #[test]
    fn comments_are_known_by_the_heading_before_them() {
        check("<div><h2>3 Comments</h2><p>b</div>c", &["b"]);
        check("<div><h3>Comments (12)</h3>b<h2>More</h2>c</div>", &["b"]);
        check("<div>a<h3>2 Responses to “Eels”</h3>b</div>c", &["b"]);
        check("<h4>Trackbacks</h4><ul><li>b</ul><h4>Contact</h4>c", &["b"]);
        check("<h3>One thought on “Eels”</h3><p>b", &["b"]);
    }

    #[test]
    fn what_only_speaks_of_comments_is_content() {
        for html in [
            "<section id=comments><h2>Comments</h2>In C a comment begins with /*</section>",
            "<div class=section id=comments><h1>Comments</h1><p>b</div>",
            "<body class='comments comments-open'><p>b",
            "<main class=comments>b</main>",
            "<h2>5 responses to climate change</h2><p>b",
            "<h2>Comments on the budget</h2><p>b",
            "<h2>3 comments by the mayor</h2><p>b",
            "<h2>What a trackback is</h2><p>b",
            "<a class=comments-link href=#c>3 comments</a> b",
            "<p class=comment-count>3</p> b",
            "<pre><span class=comment>/* b */</span></pre>",
            "<div class=commentary>b</div>",
            "<p>No comment.",
        ] {
            check(html, &[]);
        }
    }

    #[test]
    fn every_row_of_the_file_can_be_found() {
        assert!(NAMES.windows(2).all(|pair| pair[0] < pair[1]), "sorted");
        for name in NAMES.iter() {
            assert!(is_comment(name), "{name}");
            let html = format!("<div class={name}>b</div>c");
            check(&html, &["b"]);
        }
    }

    #[test]
    fn nesting_without_end_is_followed_as_far_as_it_goes() {
        let deep = "<div>".repeat(1_000) + "<div class=comment>b" + &"</div>".repeat(1_001);
        check(&(deep + "c"), &[]);
    }
}
