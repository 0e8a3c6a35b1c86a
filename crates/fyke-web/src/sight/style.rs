//! What a reader sees of an element: how what it declares and what is around it come together, as far as it
//! decides whether its text can be read.

use super::Veil;
use super::colour::Ink;
use super::css::{Declared, FontSize, KINDS, TINY, declarations};
use super::sheet::{IMPORTANT, INLINE, Weighed};
use crate::html::{Tag, TagName, name};

/// Of each kind of declaration the one that weighs most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cascade {
    held: [Option<(Declared, u64)>; KINDS],
}

impl Cascade {
    pub(super) fn new() -> Cascade {
        Cascade { held: [None; KINDS] }
    }

    pub(super) fn add(&mut self, Weighed { declared, weight }: Weighed) {
        let place = &mut self.held[declared.kind()];
        if place.is_none_or(|(_, other)| weight >= other) {
            *place = Some((declared, weight));
        }
    }

    /// What a style attribute says.
    pub(super) fn add_inline(&mut self, style: &str) {
        declarations(style, |declared, important| {
            let weight = INLINE | if important { IMPORTANT } else { 0 };
            self.add(Weighed { declared, weight });
        });
    }

    fn has(&self, declared: Declared) -> bool {
        matches!(self.held[declared.kind()], Some((held, _)) if held == declared)
    }

    /// Whether it lies over all that it stands in, so that nothing behind it is seen.
    pub(super) fn covers(&self) -> bool {
        let ground = self.held[Declared::Picture.kind()].or(self.held[4]);
        let hides =
            matches!(ground, Some((Declared::Picture | Declared::Ground(Ink::Solid(..)), _)));
        let fills = self.has(Declared::Wide(true)) && self.has(Declared::High(true));
        hides && fills && self.has(Declared::Lifted(true)) && !self.has(Declared::Shown(false))
    }

    /// Whether it is taken from where it stands.
    pub(super) fn is_lifted(&self) -> bool {
        self.has(Declared::Lifted(true))
    }

    /// Whether it is moved by an animation: what is hidden at first may come.
    pub(super) fn moves(&self) -> bool {
        self.is_declared(Declared::Moves)
    }

    fn is_declared(&self, kind: Declared) -> bool {
        self.held[kind.kind()].is_some()
    }
}

/// What hides text, and how it can come into sight again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hides {
    pub(super) veil: Veil,
    /// The kind of declaration that must change for it to be seen.
    pub(super) kind: usize,
    /// It does so where something covers the page, and not by itself.
    pub(super) needs_cover: bool,
}

/// How text looks at a place of the page. Where another sheet may say otherwise, it is not sure.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextLook {
    ink: (Ink, bool),
    ground: (Ink, bool),
    /// Something has taken the text from where it stands, so that it may be over something else.
    is_lifted: bool,
    has_shadow: bool,
    size: (f32, bool),
    pub(super) is_visible: bool,
    /// An element around, below the page itself, has a ground that hides what is behind it.
    is_on_ground: bool,
}

/// What is known of a page before its elements are.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageStyle {
    /// Sheets that are not at hand may say anything.
    pub(super) has_others: bool,
}

impl TextLook {
    pub(super) const PAGE: TextLook = TextLook {
        ink: (Ink::BLACK, true),
        ground: (Ink::WHITE, true),
        is_lifted: false,
        has_shadow: false,
        size: (16.0, true),
        is_visible: true,
        is_on_ground: false,
    };

    /// The look inside an element about which nothing is said, but that other sheets may know.
    fn inside_unstyled(mut self, tag: &Tag<'_>, page: PageStyle) -> TextLook {
        if tag.name == name("a") || is_control(tag) {
            self.ink = (Ink::Unknown, false);
        }
        // Another sheet may say of any element what it likes.
        if page.has_others {
            (self.ink.1, self.ground.1, self.size.1) = (false, false, false);
        }
        self
    }

    /// The look of the page by what is declared of its outermost elements.
    pub(super) fn of_page(mut self, page: PageStyle, cascade: &Cascade) -> TextLook {
        let is_sure = |weight: u64| weight >= INLINE || !page.has_others;
        if let Some((Declared::Colour(ink), weight)) = cascade.held[3] {
            self.ink = (ink, is_sure(weight));
        }
        self.ground(name("body"), cascade, &is_sure);
        self
    }

    /// The look inside an element that declares something, and what hides all that is in it.
    pub(super) fn inside(
        self,
        tag: &Tag<'_>,
        page: PageStyle,
        cascade: &Cascade,
    ) -> (TextLook, Option<Hides>) {
        let around = self;
        let mut look = self.inside_unstyled(tag, page);
        let is_sure = |weight: u64| weight >= INLINE || !page.has_others;
        if let Some((Declared::Colour(ink), weight)) = cascade.held[3] {
            look.ink = (ink, is_sure(weight));
        }
        look.ground(tag.name, cascade, &is_sure);
        if let Some((Declared::Size(size), weight)) = cascade.held[6] {
            let size = match size {
                FontSize::Pixels(pixels) => pixels,
                FontSize::Times(times) => around.size.0 * times,
                FontSize::Unknown => 16.0,
            };
            look.size = (size, is_sure(weight));
        }
        if let Some((Declared::Visible(is_visible), _)) = cascade.held[1] {
            look.is_visible = is_visible;
        }
        look.has_shadow |= cascade.has(Declared::Shadow);
        (look, look.hidden_by(around, cascade))
    }

    fn ground(&mut self, tag: TagName, cascade: &Cascade, is_sure: &impl Fn(u64) -> bool) {
        let is_page = [name("html"), name("body")].contains(&tag);
        if let Some((Declared::Ground(ground @ Ink::Solid(..)), weight)) = cascade.held[4] {
            self.ground = (ground, is_sure(weight));
            self.is_lifted = false;
            self.is_on_ground = !is_page;
        } else if let Some((Declared::Ground(Ink::Unknown), _)) = cascade.held[4] {
            self.ground = (Ink::Unknown, false);
        }
        if cascade.is_declared(Declared::Picture) {
            self.ground = (Ink::Unknown, false);
        }
        self.is_lifted |= cascade.has(Declared::Lifted(true))
            && !cascade.is_declared(Declared::Ground(Ink::Clear))
            || cascade.has(Declared::Indented(true));
    }

    /// What takes an element with all that is in it out of sight.
    fn hidden_by(self, around: TextLook, cascade: &Cascade) -> Option<Hides> {
        let hides = |veil, declared: Declared| {
            Some(Hides { veil, kind: declared.kind(), needs_cover: false })
        };
        if cascade.has(Declared::Shown(false)) {
            return hides(Veil::NotShown, Declared::Shown(false));
        }
        if cascade.has(Declared::Visible(false)) {
            return hides(Veil::Invisible, Declared::Visible(false));
        }
        if cascade.has(Declared::Opaque(false)) {
            return hides(Veil::Transparent, Declared::Opaque(false));
        }
        let cuts = cascade.has(Declared::Cuts(true));
        let (narrow, low) = (cascade.has(Declared::Narrow(true)), cascade.has(Declared::Low(true)));
        if cascade.has(Declared::Clipped(true)) || cuts && narrow && low {
            return hides(Veil::Clipped, Declared::Clipped(true));
        }
        if cuts && (narrow || low) {
            return hides(
                Veil::Folded,
                if low { Declared::Low(true) } else { Declared::Narrow(true) },
            );
        }
        if cascade.has(Declared::Indented(true)) {
            return hides(Veil::OffScreen, Declared::Indented(true));
        }
        if cascade.has(Declared::Lifted(true)) && cascade.has(Declared::Away(true)) {
            return hides(Veil::OffScreen, Declared::Away(true));
        }
        let is_deep = cascade.has(Declared::Deep(true));
        if is_deep && cascade.is_declared(Declared::Lifted(true)) {
            let found = hides(Veil::Behind, Declared::Deep(true));
            return found.map(|found| Hides { needs_cover: !around.is_on_ground, ..found });
        }
        None
    }

    /// What hides text that stands here, where that is sure.
    pub(super) fn text_hidden_by(&self) -> Option<Veil> {
        if self.size.1 && self.size.0 <= TINY {
            return Some(Veil::Tiny);
        }
        let ((ink, ink_sure), (ground, ground_sure)) = (self.ink, self.ground);
        let is_lost = ink_sure && ground_sure && ink.is_lost_on(ground);
        (is_lost && !self.is_lifted && !self.has_shadow).then_some(Veil::Colour)
    }
}

/// Elements that a browser gives colours of its own.
fn is_control(tag: &Tag<'_>) -> bool {
    const CONTROLS: [u128; 5] =
        [name("button"), name("input"), name("textarea"), name("select"), name("mark")];
    CONTROLS.contains(&tag.name)
}

/// What attributes of old pages declare: colours of text and ground.
pub(super) fn of_attributes(tag: &Tag<'_>, cascade: &mut Cascade) {
    for (key, value) in tag.attributes() {
        let declared = match key.len() {
            5 if key.eq_ignore_ascii_case("color") && tag.name == name("font") => {
                Declared::Colour(Ink::of_attribute(&value.trim().to_ascii_lowercase()))
            }
            7 if key.eq_ignore_ascii_case("bgcolor") => {
                Declared::Ground(Ink::of_attribute(&value.trim().to_ascii_lowercase()))
            }
            4 if key.eq_ignore_ascii_case("text") && tag.name == name("body") => {
                Declared::Colour(Ink::of_attribute(&value.trim().to_ascii_lowercase()))
            }
            10 if key.eq_ignore_ascii_case("background") => Declared::Picture,
            6 if key.eq_ignore_ascii_case("hidden")
                && !value.eq_ignore_ascii_case("until-found") =>
            {
                Declared::Shown(false)
            }
            _ => continue,
        };
        cascade.add(Weighed { declared, weight: 0 });
    }
}
