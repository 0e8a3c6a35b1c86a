//! What a reader can see of a page (001 "Variants of keyword stuffing": hidden text with colours, style sheet
//! tricks): text in the colour of its ground, of no size, off the screen, behind something, or not shown at all and
//! nothing on the page that could show it. What folds, tabs, menus and scripts show, and what is there to be read
//! aloud, stays. Only what stands in the page itself is read. Where another sheet or a script may say otherwise, and where
//! a sheet has more in it than is understood here, sheets hide nothing, and of named elements style attributes neither:
//! no good page is to lose a word by it.

mod colour;
mod css;
mod fold;
mod inline;
mod sheet;
mod style;

use crate::html::{HtmlToken, Scanner, Tag, TagName, name};
use crate::refine::{BlockKind, count_words, element};
use fold::Folding;
use memchr::memmem;
use sheet::{Called, Sheets, hash};
use std::ops::Range;
use style::{Cascade, Hides, PageStyle, TextLook, of_attributes};

/// Deepest nesting that is followed.
const MOST_DEPTH: usize = 256;
/// Elements and rules that are compared on one page.
const MOST_STEPS: u64 = 2_000_000;
/// Patches of hidden text that are told apart.
const MOST_PATCHES: usize = 10_000;
/// So many words off the screen are there to be read aloud; more where the element says so.
const READ_ALOUD: u32 = 30;
const READ_ALOUD_NAMED: u32 = 150;
/// A text of fewer words is a name.
const LONG: u32 = 8;

/// What hides text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Veil {
    Colour,
    Tiny,
    OffScreen,
    Clipped,
    Behind,
    NotShown,
    Invisible,
    Transparent,
    Folded,
}

/// Every way to hide text, with its name.
pub const VEILS: &[(Veil, &str)] = &[
    (Veil::Colour, "in the colour of its ground"),
    (Veil::Tiny, "of no size"),
    (Veil::OffScreen, "off the screen"),
    (Veil::Clipped, "cut away"),
    (Veil::Behind, "behind something"),
    (Veil::NotShown, "not shown"),
    (Veil::Invisible, "invisible"),
    (Veil::Transparent, "transparent"),
    (Veil::Folded, "of no height"),
];

impl Veil {
    /// Whether scripts, folds and menus hide by it what they show later.
    fn folds(self) -> bool {
        matches!(self, Veil::NotShown | Veil::Invisible | Veil::Transparent | Veil::Folded)
    }

    /// Whether text is put there to be read aloud.
    fn is_read_aloud(self) -> bool {
        matches!(self, Veil::OffScreen | Veil::Clipped)
    }
}

/// What of a page's text no reader can see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    /// Words by what hides them, as in [`VEILS`].
    pub hidden: [u32; VEILS.len()],
    /// Words that are out of sight at first and can be shown, or read aloud: they stay.
    pub folded: u32,
    /// Words in sight.
    pub seen: u32,
    /// Sheets or elements went over a limit: what came after it counts as seen.
    pub is_cut: bool,
    /// Where the hidden text stands in the markup, ascending.
    places: Vec<Range<usize>>,
}

impl Unseen {
    /// Words that no reader sees.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.hidden.iter().fold(0, |sum, words| sum.saturating_add(*words))
    }

    /// Their share of all words, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        let all = f64::from(self.words()) + f64::from(self.folded) + f64::from(self.seen);
        f64::from(self.words()) / all.max(1.0)
    }

    /// What hides most of them, in words; none where nothing is hidden.
    #[must_use]
    pub fn most(&self) -> Option<&'static str> {
        let counted = VEILS.iter().zip(self.hidden).filter(|(_, words)| *words > 0);
        counted.max_by_key(|(_, words)| *words).map(|(row, _)| row.1)
    }

    /// Whether the text that begins here in the markup is hidden.
    pub(crate) fn is_hidden(&self, at: usize) -> bool {
        let before = self.places.partition_point(|place| place.start <= at);
        before > 0 && self.places[before - 1].contains(&at)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// What of a page of HTML no reader can see.
#[must_use]
pub fn unseen(content: &str) -> Unseen {
    let bytes = content.as_bytes();
    let mut sheets = sheets(content);
    const SIGNS: [&str; 8] =
        ["style=", "STYLE=", "Style=", "bgcolor", "BGCOLOR", "hidden", "HIDDEN", "<font"];
    let has_signs = SIGNS.iter().any(|sign| memmem::find(bytes, sign.as_bytes()).is_some());
    if sheets.is_empty() && !has_signs && memmem::find(bytes, b"<FONT").is_none() {
        return Unseen { is_cut: sheets.is_cut, ..Unseen::default() };
    }
    let has_others = sheets.says_more || sheets.is_cut || has_other_sheets(content);
    if has_others {
        sheets.only_show();
        if !inline::may_hide(content) {
            return Unseen { is_cut: sheets.is_cut, ..Unseen::default() };
        }
    }
    let mut walk = SightWalk::new(&sheets, PageStyle { has_others });
    walk.read_ground();
    let mut scanner = Scanner::new(content);
    while let Some(token) = scanner.next() {
        match token {
            HtmlToken::Start(tag) => walk.start(tag),
            HtmlToken::End(name) => walk.end(name),
            HtmlToken::Text(text) => {
                let end = scanner.place();
                walk.text(text, end - text.len()..end);
            }
            HtmlToken::Raw(..) | HtmlToken::Cdata(_) => {}
        }
        if walk.steps > MOST_STEPS || walk.patches.len() > MOST_PATCHES {
            walk.is_cut = true;
            break;
        }
    }
    walk.finish(content)
}

/// Whether a page takes in sheets, or scripts that may bring some.
fn has_other_sheets(content: &str) -> bool {
    let is_one = |tag: &Tag<'_>| match tag.name {
        n if n == name("link") => tag.attribute("rel").is_some_and(|rel| {
            rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("stylesheet"))
        }),
        n => n == name("script") && tag.attribute("src").is_some(),
    };
    Scanner::new(content).any(|token| matches!(token, HtmlToken::Start(tag) if is_one(&tag)))
}

/// The sheets that stand in a page.
fn sheets(content: &str) -> Sheets {
    let mut sheets = Sheets::default();
    let finder = |word: &str| memmem::find_iter(content.as_bytes(), word.as_bytes()).count();
    let mut left = finder("<style") + finder("<STYLE") + finder("<Style");
    let (mut is_conditional, mut noscript) = (false, 0_u32);
    for token in Scanner::new(content) {
        if left == 0 {
            break;
        }
        match token {
            HtmlToken::Start(tag) if tag.name == name("style") => {
                let media = tag.attribute("media").unwrap_or_default().to_ascii_lowercase();
                is_conditional = noscript > 0 || !matches!(media.trim(), "" | "all" | "screen");
            }
            HtmlToken::Start(tag) if tag.name == name("noscript") => noscript += 1,
            HtmlToken::End(n) if n == name("noscript") => noscript = noscript.saturating_sub(1),
            HtmlToken::Raw(n, text) if n == name("style") => {
                sheets.add(text, is_conditional);
                left -= 1;
            }
            _ => {}
        }
    }
    sheets
}

/// An open element.
#[derive(Clone, Copy)]
struct SightElement<'a> {
    tag: Tag<'a>,
    look: TextLook,
    /// Its id, and where the hashes of its classes begin among those of all open elements.
    id: u64,
    classes: usize,
    /// The outermost patch of hidden text that it stands in.
    patch: Option<usize>,
    /// Its text is no text of the page.
    is_passed: bool,
    is_block: bool,
    /// What shows it, or what is around it, at times.
    shown: u32,
    /// Whether it says that it folds, once somebody asked.
    folds: Option<bool>,
}

/// An element that is hidden with all that is in it.
struct HiddenPatch<'a> {
    hides: Hides,
    tag: Tag<'a>,
    id: u64,
    /// It is shown at times, or says that it is a fold, a tab, a menu.
    can_be_shown: bool,
    is_named_aloud: bool,
    words: u32,
}

/// A piece of hidden text.
struct HiddenText {
    place: Range<usize>,
    words: u32,
    /// What hides it for sure, or else its patch.
    by: Result<Veil, usize>,
}

struct SightWalk<'s, 'a> {
    sheets: &'s Sheets,
    page: PageStyle,
    /// The look of the page itself, whose tags may be left out.
    ground: TextLook,
    open: Vec<SightElement<'a>>,
    beyond: usize,
    classes: Vec<u64>,
    patches: Vec<HiddenPatch<'a>>,
    texts: Vec<HiddenText>,
    seen: u32,
    steps: u64,
    /// Something lies over the page.
    is_covered: bool,
    /// Something is taken from where it stands, and may be the ground of any text.
    has_lifted: bool,
    is_cut: bool,
}

impl<'s, 'a> SightWalk<'s, 'a> {
    fn new(sheets: &'s Sheets, page: PageStyle) -> SightWalk<'s, 'a> {
        SightWalk {
            sheets,
            page,
            ground: TextLook::PAGE,
            open: Vec::new(),
            beyond: 0,
            classes: Vec::new(),
            patches: Vec::new(),
            texts: Vec::new(),
            seen: 0,
            steps: 0,
            is_covered: false,
            has_lifted: false,
            is_cut: sheets.is_cut,
        }
    }

    /// What sheets say of `html` and `body`, whose tags may be left out.
    fn read_ground(&mut self) {
        for word in ["html", "body"] {
            let mut cascade = Cascade::new();
            let own = Called { name: name(word), id: 0, classes: &[] };
            let none = std::iter::empty::<Called<'_>>();
            self.sheets.each(own, &none, &mut self.steps, |weighed| cascade.add(weighed));
            self.ground = self.ground.of_page(self.page, &cascade);
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        let row = element::look_up(tag.name);
        if let Some(row) = row {
            self.end_what_is_ended_by(row);
        }
        if is_void(tag.name) || tag.closes_itself() {
            self.has_lifted |= tag.attribute("style").is_some_and(|style| {
                let mut cascade = Cascade::new();
                cascade.add_inline(&style);
                cascade.is_lifted()
            });
            return;
        }
        if self.open.len() >= MOST_DEPTH {
            self.beyond += 1;
            return;
        }
        let opened = self.opened(tag, row.is_some());
        self.open.push(opened);
    }

    /// Elements whose end tags may be left out end where a block begins.
    fn end_what_is_ended_by(&mut self, row: &element::ElementRule) {
        const P: TagName = name("p");
        let top = self.open.iter().rposition(|open| open.is_block);
        if let Some(at) = top.filter(|&at| self.open[at].tag.name == P) {
            self.leave(at);
        }
        if row.kind != BlockKind::Other || row.name == name("tr") {
            let kept = element::kept_open(row.name, self.open.iter().map(|open| open.tag.name));
            self.leave(kept);
        }
    }

    fn opened(&mut self, tag: Tag<'a>, is_block: bool) -> SightElement<'a> {
        let classes = self.classes.len();
        let (mut id, mut style, mut is_old, mut is_named) = (0, None, false, false);
        for (key, value) in tag.attributes() {
            match key.len() {
                2 if key.eq_ignore_ascii_case("id") => (id, is_named) = (hash(value), true),
                5 if key.eq_ignore_ascii_case("class") => {
                    self.classes.extend(value.split_ascii_whitespace().take(32).map(hash));
                    is_named = true;
                }
                5 if key.eq_ignore_ascii_case("style") => style = Some(value),
                4..=10 => is_old = true,
                _ => {}
            }
        }
        let around = self.open.last();
        let (look, mut patch) = around.map_or((self.ground, None), |open| (open.look, open.patch));
        let shown = around.map_or(0, |open| open.shown);
        let is_passed = around.is_some_and(|open| open.is_passed) || is_passed(tag.name);
        let own = Called { name: tag.name, id, classes: &self.classes[classes..] };
        let own_shown = self.sheets.shown_at_times(own);
        let mut cascade = Cascade::new();
        if is_old {
            of_attributes(&tag, &mut cascade);
        }
        let called =
            |open: &SightElement<'a>, end: usize| (open.tag.name, open.id, open.classes, end);
        let ends = self.open.iter().skip(1).map(|open| open.classes).chain([classes]);
        let around = self.open.iter().zip(ends).map(|(open, end)| called(open, end));
        let around: Vec<_> = if self.sheets.is_empty() { Vec::new() } else { around.collect() };
        let all = &self.classes;
        let around =
            around.iter().map(|&(name, id, from, to)| Called { name, id, classes: &all[from..to] });
        self.sheets.each(own, &around, &mut self.steps, |weighed| cascade.add(weighed));
        if let Some(style) = style {
            cascade.add_inline(&crate::html::value_of(style));
        }
        let (look, hides) = look.inside(&tag, self.page, &cascade);
        self.is_covered |= cascade.covers();
        self.has_lifted |= cascade.is_lifted();
        if let Some(hides) = hides.filter(|_| patch.is_none() && !is_passed) {
            patch = Some(self.patches.len());
            let may_change = cascade.moves() || self.page.has_others && is_named;
            let can_be_shown = may_change
                || own_shown & 1 << hides.kind != 0
                || hides.veil != Veil::Behind && (fold::is_fold(&tag) || self.is_in_fold());
            let is_named_aloud = fold::is_read_aloud(&tag);
            let new = HiddenPatch { hides, tag, id, can_be_shown, is_named_aloud, words: 0 };
            self.patches.push(new);
        }
        let (shown, folds) = (shown | own_shown, None);
        SightElement { tag, look, id, classes, patch, is_passed, is_block, shown, folds }
    }

    /// Whether an open element says that it folds.
    fn is_in_fold(&mut self) -> bool {
        self.open
            .iter_mut()
            .any(|SightElement { tag, folds, .. }| *folds.get_or_insert_with(|| fold::is_fold(tag)))
    }

    fn end(&mut self, name: TagName) {
        if self.beyond > 0 {
            self.beyond -= 1;
        } else if let Some(at) = self.open.iter().rposition(|open| open.tag.name == name) {
            self.leave(at);
        }
    }

    fn leave(&mut self, kept: usize) {
        if let Some(first) = self.open.get(kept) {
            self.classes.truncate(first.classes);
            self.open.truncate(kept);
        }
    }

    fn text(&mut self, text: &str, place: Range<usize>) {
        let words = count_words(text);
        let Some(open) = self.open.last().filter(|_| words > 0) else {
            self.seen = self.seen.saturating_add(words);
            return;
        };
        if open.is_passed {
            return;
        }
        let patch = open.patch.filter(|&at| {
            let is_hidden = self.patches[at].hides.veil != Veil::Invisible;
            is_hidden || !open.look.is_visible
        });
        match (open.look.text_hidden_by().filter(|veil| !self.comes_into_sight(*veil)), patch) {
            (Some(veil), _) => self.texts.push(HiddenText { place, words, by: Ok(veil) }),
            (None, Some(at)) => {
                self.patches[at].words = self.patches[at].words.saturating_add(words);
                self.texts.push(HiddenText { place, words, by: Err(at) });
            }
            (None, None) => self.seen = self.seen.saturating_add(words),
        }
    }

    /// Whether text in the colour of its ground, or of no size, is shown when somebody points at it.
    fn comes_into_sight(&self, veil: Veil) -> bool {
        let kinds = if veil == Veil::Tiny { 1 << 6 } else { 1 << 3 | 1 << 4 | 1 << 5 };
        self.open.last().is_some_and(|open| open.shown & kinds != 0)
    }

    fn finish(self, content: &str) -> Unseen {
        let SightWalk { patches, texts, seen, is_covered, has_lifted, is_cut, .. } = self;
        let mut unseen = Unseen { seen, is_cut, ..Unseen::default() };
        if texts.is_empty() {
            return unseen;
        }
        let folding = Folding::of(content);
        let mut stays: Vec<Stay> =
            patches.iter().map(|patch| patch.stay(&folding, is_covered)).collect();
        // What is read aloud says in words what the page shows; it is not the page. Names of colours and the like,
        // of which there may be many, are short.
        let is_long =
            |patch: &HiddenPatch<'_>, stay: Stay| stay == Stay::ReadAloud && patch.words >= LONG;
        let long = patches.iter().zip(&stays).filter(|(patch, stay)| is_long(patch, **stay));
        let aloud = long.map(|(patch, _)| patch.words).fold(0, u32::saturating_add);
        if aloud > READ_ALOUD_NAMED.max(seen) {
            for (patch, stay) in patches.iter().zip(&mut stays) {
                if is_long(patch, *stay) {
                    *stay = Stay::Hidden;
                }
            }
        }
        for HiddenText { place, words, by } in texts {
            let veil = match by {
                Ok(Veil::Colour) if has_lifted => {
                    unseen.seen = unseen.seen.saturating_add(words);
                    continue;
                }
                Ok(veil) => veil,
                Err(at) => match stays[at] {
                    Stay::Hidden => patches[at].hides.veil,
                    Stay::Seen => {
                        unseen.seen = unseen.seen.saturating_add(words);
                        continue;
                    }
                    Stay::ReadAloud | Stay::Folded => {
                        unseen.folded = unseen.folded.saturating_add(words);
                        continue;
                    }
                },
            };
            let counted = &mut unseen.hidden[veil as usize];
            *counted = counted.saturating_add(words);
            unseen.places.push(place);
        }
        unseen
    }
}

/// What becomes of a patch of hidden text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stay {
    Hidden,
    Folded,
    ReadAloud,
    Seen,
}

impl HiddenPatch<'_> {
    fn stay(&self, folding: &Folding<'_>, is_covered: bool) -> Stay {
        let veil = self.hides.veil;
        if self.hides.needs_cover && !is_covered {
            return Stay::Seen;
        }
        let most = if self.is_named_aloud { READ_ALOUD_NAMED } else { READ_ALOUD };
        if veil.is_read_aloud() && self.words <= most {
            return Stay::ReadAloud;
        }
        let is_shown = || veil.folds() && folding.may_show(&self.tag, self.id);
        if self.can_be_shown || is_shown() { Stay::Folded } else { Stay::Hidden }
    }
}

fn is_void(tag: TagName) -> bool {
    const VOID: [TagName; 14] = [
        name("area"),
        name("base"),
        name("br"),
        name("col"),
        name("embed"),
        name("frame"),
        name("hr"),
        name("img"),
        name("input"),
        name("link"),
        name("meta"),
        name("param"),
        name("source"),
        name("wbr"),
    ];
    VOID.contains(&tag)
}

/// Elements whose text is no text of the page, or not in the way that sheets say.
fn is_passed(tag: TagName) -> bool {
    const PASSED: [TagName; 10] = [
        name("head"),
        name("noscript"),
        name("template"),
        name("svg"),
        name("math"),
        name("select"),
        name("object"),
        name("audio"),
        name("video"),
        name("canvas"),
    ];
    PASSED.contains(&tag)
}

#[cfg(test)]
mod tests;
