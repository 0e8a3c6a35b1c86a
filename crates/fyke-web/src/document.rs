//! The document inside a page: the last state. Noise removal (003 §3.8, document slope curve).

use crate::metadata::{self, Gatherer, PageNames, SiteName};
use crate::page::Format;
use crate::read::{PageHead, Said};
use crate::refine::{self, BlockKind, Blocks, Genre, REFINERS, Refiner, TextLink, TextLinks};
use crate::shape::{Piece, shaped};
use crate::{Capture, ExtractRule, ExtractRules, OpenCapture, Page, Url, UrlId};
use fyke_text::{Digest, Guess};
use serde::{Deserialize, Serialize};

/// Large headings that may be the title.
const MOST_LARGE: usize = 4;
/// Most bytes of a title.
const MOST_TITLE: usize = 1_000;
/// With fewer words than this the page's own word for its language is better than a guess.
const FEW_WORDS: u32 = 12;
/// A guess below this is no better than what the page declares.
const LEAST_CONFIDENCE: f32 = 0.5;
/// A language with fewer percent of a text is not told.
const LEAST_SHARE: u8 = 10;

/// A page's content without its surroundings. Facts found out later (twins, ranks, topics) are
/// columns keyed by `id`, never members of this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Key of the URL's normal form.
    pub id: UrlId,
    /// The URL as it was fetched.
    pub url: String,
    /// When it was captured, in milliseconds since 1970.
    pub time: i64,
    /// The name it had in the collection it was imported from; empty for others.
    pub docno: String,
    /// Title, white space folded.
    pub title: String,
    /// What else it could be called; empty where its title is sure.
    pub names: PageNames,
    /// Who wrote it, as the page says; empty when it does not.
    pub author: String,
    /// When it was published, as ISO 8601 has it ("2024-03-05"); empty when the page does not say.
    pub date: String,
    /// Name of the site, as the page says; empty when it does not.
    pub site: String,
    /// Headings of the main text, one a line.
    pub headings: String,
    /// What stands out in the main text (bold, italic, marked), one a line.
    pub emphasis: String,
    /// What the page says of itself in a sentence; empty when it does not.
    pub description: String,
    /// What it names as its keywords, one a line.
    pub keywords: String,
    /// Titles of links in the main text that say more than the text does, one a line.
    pub link_titles: String,
    /// Main text: a block a line, code with its lines, cells of a row with tabs between them.
    pub text: String,
    /// What the stretches of `text` are: headings, items, cells, code.
    pub shape: Vec<Piece>,
    /// The links in `text`, in order.
    pub links: Vec<TextLink>,
    /// What readers wrote below the text, a block a line; no part of `text`.
    pub comments: String,
    /// Where the pages of a paged format begin in `text`, in bytes; empty for others.
    pub pages: Vec<u32>,
    /// ISO 639 code, "und" when unknown.
    pub language: String,
    /// Percent of the text in each language, most first; empty when it is all in one.
    pub languages: Vec<(String, u8)>,
    /// Name of the format that it came in, as "html" or "pdf".
    pub format: String,
    /// WHATWG name of the encoding the page came in.
    pub charset: String,
    /// Number of words of `text`.
    pub words: u32,
    /// Checksum of the words of `text` (equal for exact copies).
    pub checksum: u64,
    /// Minhash sketch of `text`.
    pub sketch: Vec<u8>,
}

/// The readable part of a page: what [`refine`] finds before anything is computed from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    pub title: String,
    /// What else it could be called.
    pub names: PageNames,
    /// Headings of the main text, one a line.
    pub headings: String,
    /// What stands out in the main text, one a line.
    pub emphasis: String,
    /// What the page says of itself; empty where it does not.
    pub description: String,
    /// Its keywords, and the titles of links in the main text, one a line.
    pub keywords: String,
    pub link_titles: String,
    /// Main text, as [`Document`] has it, and its shape.
    pub text: String,
    pub shape: Vec<Piece>,
    pub links: TextLinks,
    /// Where the pages of a paged format begin in `text`, in bytes.
    pub pages: Vec<u32>,
    /// What readers wrote below the text, a block a line.
    pub comments: String,
    /// Who wrote it, when (ISO 8601), and on what site; empty where the page does not say.
    pub author: String,
    pub date: String,
    pub site: String,
    /// What the page is for.
    pub genre: Genre,
}

impl Content {
    /// The language of its text, or the one that its page declares where the text has little to go by.
    #[must_use]
    pub fn language(&self, declared: Option<&str>) -> String {
        let words = fyke_text::tokens(&self.text).take(FEW_WORDS as usize).count() as u32;
        language(fyke_text::identify(&self.text), words, declared)
    }
}

/// The readable part of a capture, where nobody asks for its links and its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadContent {
    pub found: Content,
    pub format: Format,
    /// Language the page claims.
    pub declared_language: Option<String>,
    /// What could not be converted, in words; empty when all is well.
    pub trouble: String,
}

impl OpenCapture<'_> {
    /// Its readable part, as [`content`] gives it of its page. HTML is read once for that.
    #[must_use]
    pub fn content(self, refiner: &Refiner) -> ReadContent {
        if self.said.format != Format::Html {
            let capture = self.capture;
            let page = self.page();
            let found = content(capture, &page, refiner);
            let Page { format, declared_language, trouble, .. } = page;
            return ReadContent { found, format, declared_language, trouble };
        }
        let OpenCapture { capture, mut said, content } = self;
        let mut head = PageHead::default();
        let read = refine::of_html_seen(&content, |token| head.see(token));
        said.take_head(head);
        let found = of_blocks(&capture.url, read, &said.title, refiner);
        let Said { format, declared_language, trouble, .. } = said;
        ReadContent { found, format, declared_language, trouble }
    }
}

/// Finds the document inside a page.
#[must_use]
pub fn refine(capture: &Capture, page: &Page) -> Document {
    refine_by(capture, page, &REFINERS[0])
}

/// As [`refine`], by a way of one's choice.
#[must_use]
pub fn refine_by(capture: &Capture, page: &Page, refiner: &Refiner) -> Document {
    document(capture, page, content(capture, page, refiner))
}

/// As [`refine_by`], by the rule for its URL where there is one.
#[must_use]
pub fn refine_ruled(
    capture: &Capture,
    page: &Page,
    refiner: &Refiner,
    rules: &ExtractRules,
) -> Document {
    let rule = rules.of(&capture.url).filter(|_| page.format == Format::Html);
    let found = match rule {
        Some(rule) => by_rule(&capture.url, page, refiner, rule),
        None => content(capture, page, refiner),
    };
    document(capture, page, found)
}

/// What a rule leaves of a page; what the page says of itself is read from all of it.
fn by_rule(url: &Url, page: &Page, refiner: &Refiner, rule: &ExtractRule) -> Content {
    let cut = rule.apply(&page.content);
    let whole = of_html(url, page, refiner);
    let (blocks, _) = refine::of_html(&cut.markup);
    let kept = match cut.kept {
        0 => (refiner.run)(&blocks),
        _ => (0..blocks.list.len()).collect(),
    };
    let (text, shape) = shaped(&blocks, &kept);
    let date = metadata::read_date(&cut.date);
    let (own_title, names) = match cut.title.is_empty() {
        true => (whole.title, whole.names),
        false => (title(&cut.title, url), PageNames::default()),
    };
    Content {
        title: own_title,
        names,
        headings: headings(&blocks, &kept),
        emphasis: refine::emphasis(&blocks, &kept),
        link_titles: refine::link_titles(&blocks, &kept),
        text,
        shape,
        links: refine::text_links(&blocks, &kept).relative_to(&whole.links),
        comments: if cut.kept > 0 {
            String::new()
        } else {
            lines(&blocks, &comments(&blocks, &kept))
        },
        date: date.unwrap_or(whole.date),
        ..whole
    }
}

fn document(capture: &Capture, page: &Page, found: Content) -> Document {
    let Digest { words, checksum, sketch } = fyke_text::digest(&found.text);
    let guess = fyke_text::identify(&found.text);
    let languages = languages(&found.text);
    Document {
        id: capture.url.id(),
        url: capture.url.as_str().to_owned(),
        time: capture.time,
        docno: capture.docno().to_owned(),
        language: language(guess, words, page.declared_language.as_deref()),
        format: page.format.name().to_owned(),
        charset: page.charset.to_owned(),
        words,
        checksum,
        sketch: sketch.0,
        title: found.title,
        names: found.names,
        author: found.author,
        date: found.date,
        site: found.site,
        headings: found.headings,
        emphasis: found.emphasis,
        description: found.description,
        keywords: found.keywords,
        link_titles: found.link_titles,
        text: found.text,
        shape: found.shape,
        links: found.links.resolved(&capture.url),
        comments: found.comments,
        pages: found.pages,
        languages,
    }
}

/// The languages of a mixed text that have a part worth telling; none when it is all in one.
fn languages(text: &str) -> Vec<(String, u8)> {
    let mut shares = fyke_text::shares(text);
    shares.retain(|&(_, percent)| percent >= LEAST_SHARE);
    match shares.len() {
        0 | 1 => Vec::new(),
        _ => shares.into_iter().map(|(code, percent)| (code.to_owned(), percent)).collect(),
    }
}

/// Title, headings and main text of a page, and what it says of itself.
#[must_use]
pub fn content(capture: &Capture, page: &Page, refiner: &Refiner) -> Content {
    let mut pages = Vec::new();
    let (blocks, kept) = match page.format {
        Format::Html => return of_html(&capture.url, page, refiner),
        Format::Text => all(refine::of_text(&page.content)),
        Format::Xml => all(refine::of_xml(&page.content)),
        Format::Converted(_) => {
            let (blocks, starts) = refine::of_markup(&page.content);
            pages = starts;
            all(blocks)
        }
        Format::Other => all(Blocks::default()),
    };
    let (text, shape) = shaped(&blocks, &kept);
    Content {
        title: title(&page.title, &capture.url),
        headings: headings(&blocks, &kept),
        emphasis: refine::emphasis(&blocks, &kept),
        text,
        shape,
        links: refine::text_links(&blocks, &kept),
        pages,
        author: page.author.clone(),
        date: page.date.clone(),
        ..Content::default()
    }
}

fn of_html(url: &Url, page: &Page, refiner: &Refiner) -> Content {
    of_blocks(url, refine::of_html(&page.content), &page.title, refiner)
}

/// What is found in the blocks of a page with this title element.
fn of_blocks(
    url: &Url,
    (blocks, gatherer): (Blocks, Gatherer),
    element: &str,
    refiner: &Refiner,
) -> Content {
    let kept = (refiner.run)(&blocks);
    let told = gatherer.finish(&blocks, element);
    let names = PageNames {
        told: told.title,
        element: element.to_owned(),
        heading: first_heading(&blocks, &kept).to_owned(),
        large: large_headings(&blocks),
        marked: refine::marked(&blocks),
        crumb: refine::crumb(&blocks),
    };
    let site = SiteName { name: &told.site, host: url.host() };
    let (text, shape) = shaped(&blocks, &kept);
    Content {
        title: title(&metadata::title(&names, &site), url),
        names: names.cut(),
        headings: headings(&blocks, &kept),
        emphasis: refine::emphasis(&blocks, &kept),
        description: told.description,
        keywords: told.keywords,
        link_titles: refine::link_titles(&blocks, &kept),
        text,
        shape,
        links: refine::text_links(&blocks, &kept),
        comments: lines(&blocks, &comments(&blocks, &kept)),
        genre: refine::genre(&blocks),
        pages: Vec::new(),
        author: told.author,
        date: told.date,
        site: told.site,
    }
}

/// The first heading of the main text: a large one, or else one that opens it.
fn first_heading<'a>(blocks: &'a Blocks, kept: &[usize]) -> &'a str {
    let list = || kept.iter().filter_map(|&at| blocks.list.get(at));
    let large = list().find(|block| block.kind == BlockKind::Heading(1));
    let opening = || list().take(3).find(|block| matches!(block.kind, BlockKind::Heading(_)));
    large.or_else(opening).map_or("", |block| blocks.text_of(block))
}

/// The large headings of a page, the first few.
fn large_headings(blocks: &Blocks) -> Vec<String> {
    let large = blocks.list.iter().filter(|block| block.kind == BlockKind::Heading(1));
    large.take(MOST_LARGE).map(|block| blocks.text_of(block).to_owned()).collect()
}

/// What readers say that is no part of the text.
fn comments(blocks: &Blocks, kept: &[usize]) -> Vec<usize> {
    let is_comment = |at: &usize| blocks.list[*at].is_comment() && kept.binary_search(at).is_err();
    (0..blocks.list.len()).filter(is_comment).collect()
}

fn all(blocks: Blocks) -> (Blocks, Vec<usize>) {
    let kept = (0..blocks.list.len()).collect();
    (blocks, kept)
}

fn lines(blocks: &Blocks, kept: &[usize]) -> String {
    let mut text = String::with_capacity(blocks.text.len());
    for block in kept.iter().filter_map(|&at| blocks.list.get(at)) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(blocks.text_of(block));
    }
    text
}

/// Headings from a first heading above the main text to its last block.
fn headings(blocks: &Blocks, kept: &[usize]) -> String {
    let (Some(&first), Some(&last)) = (kept.first(), kept.last()) else { return String::new() };
    let mut lines: Vec<&str> = Vec::new();
    for (at, block) in blocks.list.iter().enumerate().take(last + 1) {
        let inside = at >= first && kept.binary_search(&at).is_ok();
        match block.kind {
            BlockKind::Heading(1) => lines.push(blocks.text_of(block)),
            BlockKind::Heading(_) if inside => lines.push(blocks.text_of(block)),
            _ => {}
        }
    }
    lines.join("\n")
}

/// A title that is not too long, else the URL's last segment.
fn title(found: &str, url: &Url) -> String {
    if found.is_empty() {
        return last_segment(url);
    }
    found[..found.floor_char_boundary(MOST_TITLE)].to_owned()
}

/// "the-eel.html" of "/fish/the-eel.html" read as "the eel"; the host where the path is empty.
fn last_segment(url: &Url) -> String {
    let segment = url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let stem = segment.rsplit_once('.').map_or(segment, |(stem, _)| stem);
    let words = stem.replace(['-', '_', '+'], " ");
    if words.trim().is_empty() { url.host().to_owned() } else { words.trim().to_owned() }
}

/// The language guessed from the text, or the one declared where the guess has little to go by.
fn language(guess: Guess<'_>, words: u32, declared: Option<&str>) -> String {
    let doubtful = guess.code == "und" || words < FEW_WORDS || guess.confidence < LEAST_CONFIDENCE;
    let primary = declared.and_then(|tag| tag.split('-').next()).filter(|code| {
        (2..=3).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_lowercase())
    });
    match primary {
        Some(code) if doubtful => code.to_owned(),
        _ => guess.code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doubtful_guess_gives_way_to_the_declared_language() {
        let check = |code, confidence, words, declared, expected: &str| {
            assert_eq!(language(Guess { code, confidence }, words, declared), expected);
        };
        check("sl", 0.9, 300, Some("en-us"), "sl");
        check("sl", 0.9, 3, Some("en-us"), "en");
        check("sl", 0.01, 300, Some("hr"), "hr");
        check("und", 0.0, 0, Some("hr"), "hr");
        check("und", 0.0, 0, None, "und");
        check("sl", 0.01, 3, Some("english"), "sl");
    }

    #[test]
    fn the_last_segment_of_the_path_can_stand_for_a_title() {
        let check = |url: &str, expected: &str| {
            assert_eq!(last_segment(&Url::parse(url).unwrap()), expected);
        };
        check("http://a.test/fish/the-eel_2.html?x=1", "the eel 2");
        check("http://a.test/fish/", "fish");
        check("http://a.test/", "a.test");
    }
}
