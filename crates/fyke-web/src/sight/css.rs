//! A small reading of style sheets: the declarations that decide whether a reader can see text, and the selectors of
//! those rules. It is no CSS engine: what it does not understand it leaves alone, and hides nothing by it.

use super::colour::Ink;

/// Longest value that is looked at, in bytes.
const MOST_VALUE: usize = 200;
/// Deepest nesting of blocks that is followed.
const MOST_DEPTH: usize = 8;

/// What a declaration says that matters here. Lengths are in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Declared {
    /// `display` is something else than `none`.
    Shown(bool),
    Visible(bool),
    /// `opacity` leaves something to see.
    Opaque(bool),
    Colour(Ink),
    Ground(Ink),
    /// A picture or a gradient is behind the text.
    Picture,
    Size(FontSize),
    /// `position` takes it out of its place: absolute or fixed; or else leaves it there.
    Lifted(bool),
    /// `left`, `top`, `right` or `bottom`, or a margin: the text stands where nobody looks.
    Away(bool),
    Indented(bool),
    /// One pixel wide, or less; as high.
    Narrow(bool),
    Low(bool),
    /// What does not fit is cut off.
    Cuts(bool),
    /// `clip` leaves nothing.
    Clipped(bool),
    /// `z-index` below zero.
    Deep(bool),
    /// It fills what it stands in.
    Wide(bool),
    High(bool),
    /// It has a shadow, or is moved by an animation.
    Shadow,
    Moves,
}

/// The size of letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FontSize {
    Pixels(f32),
    /// Times that of the element around.
    Times(f32),
    Unknown,
}

/// How many kinds of declarations there are.
pub(super) const KINDS: usize = 19;

impl Declared {
    /// Its place among the kinds.
    pub(super) fn kind(self) -> usize {
        match self {
            Declared::Shown(_) => 0,
            Declared::Visible(_) => 1,
            Declared::Opaque(_) => 2,
            Declared::Colour(_) => 3,
            Declared::Ground(_) => 4,
            Declared::Picture => 5,
            Declared::Size(_) => 6,
            Declared::Lifted(_) => 7,
            Declared::Away(_) => 8,
            Declared::Indented(_) => 9,
            Declared::Narrow(_) => 10,
            Declared::Low(_) => 11,
            Declared::Cuts(_) => 12,
            Declared::Clipped(_) => 13,
            Declared::Deep(_) => 14,
            Declared::Wide(_) => 15,
            Declared::High(_) => 16,
            Declared::Shadow => 17,
            Declared::Moves => 18,
        }
    }

    /// Whether, where it comes to hold, it may show what was hidden.
    pub(super) fn reveals(self) -> bool {
        match self {
            Declared::Shown(shows) | Declared::Visible(shows) | Declared::Opaque(shows) => shows,
            Declared::Colour(_) | Declared::Ground(_) | Declared::Picture | Declared::Moves => true,
            Declared::Size(size) => !matches!(size, FontSize::Pixels(p) if p <= TINY),
            Declared::Lifted(hides)
            | Declared::Away(hides)
            | Declared::Indented(hides)
            | Declared::Narrow(hides)
            | Declared::Low(hides)
            | Declared::Cuts(hides)
            | Declared::Clipped(hides)
            | Declared::Deep(hides) => !hides,
            Declared::Wide(_) | Declared::High(_) | Declared::Shadow => false,
        }
    }
}

/// Letters of this size, in pixels, nobody reads.
pub(super) const TINY: f32 = 1.5;
/// So far from the page, in pixels, nobody looks.
const AWAY: f32 = 500.0;

/// Declarations in a style attribute or a block; `see` is given each with whether it is important.
pub(super) fn declarations(block: &str, mut see: impl FnMut(Declared, bool)) {
    let is_padded = has_wide_padding(block);
    for declaration in block.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        if value.len() > MOST_VALUE || name.len() > 2 * MOST_VALUE {
            continue;
        }
        // A comment may stand before the name.
        let name = name.rsplit("*/").next().unwrap_or_default().trim().to_ascii_lowercase();
        if !is_known(&name) {
            continue;
        }
        let value = value.trim().to_ascii_lowercase();
        let (value, is_important) = match value.split_once('!') {
            Some((value, mark)) => (value.trim(), mark.trim() == "important"),
            None => (value.as_str(), false),
        };
        declared(&name, value, &mut |found| {
            let is_balanced = matches!(found, Declared::Indented(true) | Declared::Low(true));
            if !(is_padded && is_balanced) {
                see(found, is_important);
            }
        });
    }
}

/// Whether a padding of a share or of a far length takes back what a margin or no height takes away: bars over the whole
/// width, columns of one height, boxes of one shape.
fn has_wide_padding(block: &str) -> bool {
    block.split(';').any(|declaration| {
        let Some((name, value)) = declaration.split_once(':') else { return false };
        let is_wide =
            |part: &str| part.ends_with('%') || pixels(part).is_some_and(|padding| padding >= AWAY);
        name.trim().to_ascii_lowercase().starts_with("padding")
            && value.len() <= MOST_VALUE
            && value.split_ascii_whitespace().any(is_wide)
    })
}

fn is_known(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "display",
        "visibility",
        "opacity",
        "color",
        "background",
        "background-color",
        "background-image",
        "font-size",
        "font",
        "position",
        "left",
        "right",
        "top",
        "bottom",
        "margin-left",
        "margin-top",
        "margin",
        "text-indent",
        "width",
        "height",
        "max-height",
        "overflow",
        "clip",
        "clip-path",
        "z-index",
        "inset",
        "text-shadow",
        "animation",
        "animation-name",
        "transition",
    ];
    NAMES.contains(&name)
}

fn declared(name: &str, value: &str, see: &mut impl FnMut(Declared)) {
    let length = || pixels(value);
    let away = |sign: f32| length().is_some_and(|at| at * sign >= AWAY);
    match name {
        "display" => see(Declared::Shown(value != "none")),
        "visibility" => see(Declared::Visible(!matches!(value, "hidden" | "collapse"))),
        "opacity" => see(Declared::Opaque(length().is_none_or(|opacity| opacity > 0.02))),
        "color" if value != "inherit" => see(Declared::Colour(Ink::read(value))),
        "background-color" => see(Declared::Ground(Ink::read(value))),
        "background-image" if value != "none" => see(Declared::Picture),
        "background" => background(value, see),
        "font-size" => see(Declared::Size(font_size(value))),
        "font" => {
            let size = value.split_ascii_whitespace().map(|word| word.split('/').next());
            let size = size.flatten().map(font_size).find(|size| *size != FontSize::Unknown);
            see(Declared::Size(size.unwrap_or(FontSize::Unknown)));
        }
        "position" => see(Declared::Lifted(matches!(value, "absolute" | "fixed"))),
        // A margin counts where the text is in its place, too.
        "left" | "top" | "right" | "bottom" => see(Declared::Away(away(-1.0) || away(0.1))),
        "margin-left" | "margin-top" => see(Declared::Indented(away(-1.0))),
        "margin" => {
            let far = |part: &str| pixels(part).is_some_and(|at| at <= -AWAY);
            see(Declared::Indented(value.split_ascii_whitespace().any(far)));
        }
        "text-indent" => see(Declared::Indented(away(-1.0) || away(0.1))),
        "width" => {
            see(Declared::Narrow(length().is_some_and(|width| width <= 1.0)));
            see(Declared::Wide(value == "100%"));
        }
        "height" | "max-height" => {
            see(Declared::Low(length().is_some_and(|height| height <= 1.0)));
            if name == "height" {
                see(Declared::High(value == "100%"));
            }
        }
        "inset" if value == "0" => {
            see(Declared::Wide(true));
            see(Declared::High(true));
        }
        "overflow" => see(Declared::Cuts(matches!(value, "hidden" | "clip"))),
        "clip" | "clip-path" => see(Declared::Clipped(leaves_nothing(value))),
        "z-index" => see(Declared::Deep(value.starts_with('-'))),
        "text-shadow" if value != "none" => see(Declared::Shadow),
        "animation" | "animation-name" | "transition" if value != "none" => see(Declared::Moves),
        _ => {}
    }
}

fn background(value: &str, see: &mut impl FnMut(Declared)) {
    if value.contains("url(") || value.contains("gradient(") || value.contains("image") {
        see(Declared::Picture);
        return;
    }
    // A colour in brackets holds spaces.
    let whole = Ink::read(value);
    let parts = || value.split_ascii_whitespace().map(Ink::read);
    let ink = parts().find(|ink| *ink != Ink::Unknown).filter(|_| whole == Ink::Unknown);
    let ink = if value == "none" { Ink::Clear } else { ink.unwrap_or(whole) };
    see(Declared::Ground(ink));
}

/// A length in pixels; of a share of something unknown none.
fn pixels(value: &str) -> Option<f32> {
    const UNITS: &[(&str, f32)] = &[
        ("px", 1.0),
        ("rem", 16.0),
        ("em", 16.0),
        ("pt", 1.333),
        ("vw", 10.0),
        ("vh", 8.0),
        ("ch", 8.0),
    ];
    let unit = UNITS.iter().find_map(|(unit, pixels)| Some((value.strip_suffix(unit)?, pixels)));
    let number = match unit {
        Some((number, pixels)) => number.parse::<f32>().ok()? * pixels,
        // A share is far away when it is many times the page.
        None => match value.strip_suffix('%') {
            Some(percent) => {
                percent.parse::<f32>().ok().filter(|p| p.abs() > 150.0 || *p == 0.0)? * 10.0
            }
            None => value.parse::<f32>().ok()?,
        },
    };
    number.is_finite().then_some(number)
}

fn font_size(value: &str) -> FontSize {
    let times = |unit: &str| value.strip_suffix(unit)?.parse::<f32>().ok();
    if value.ends_with("rem") {
        return pixels(value).map_or(FontSize::Unknown, FontSize::Pixels);
    }
    if let Some(times) = times("em") {
        return FontSize::Times(times);
    }
    if let Some(percent) = times("%") {
        return FontSize::Times(percent / 100.0);
    }
    match value {
        "smaller" => FontSize::Times(0.83),
        "larger" => FontSize::Times(1.2),
        "xx-small" | "x-small" | "small" | "medium" | "large" | "x-large" | "xx-large" => {
            FontSize::Pixels(13.0)
        }
        // A number without a unit is a length only where it is zero.
        _ if value.parse::<f32>().is_ok_and(|number| number != 0.0) => FontSize::Unknown,
        _ => pixels(value).map_or(FontSize::Unknown, FontSize::Pixels),
    }
}

/// Whether a shape to cut by has no inside worth reading.
fn leaves_nothing(value: &str) -> bool {
    let Some((shape, rest)) = value.split_once('(') else { return false };
    let inside = rest.trim_end_matches(')');
    let mut numbers = inside.split([',', ' ']).filter(|part| !part.is_empty());
    match shape.trim() {
        "rect" => numbers.all(|part| pixels(part).is_some_and(|at| at <= 1.0)),
        "inset" => numbers.next().is_some_and(|part| {
            part.strip_suffix('%').and_then(|p| p.parse::<f32>().ok()).is_some_and(|p| p >= 50.0)
        }),
        "circle" => numbers.next().and_then(pixels) == Some(0.0),
        _ => false,
    }
}

/// A rule of a sheet: its selectors as they are written, and its block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SheetRule<'a> {
    pub(super) selectors: &'a str,
    pub(super) block: &'a str,
    /// It holds only on some devices, or where something else holds.
    pub(super) is_conditional: bool,
}

/// Every rule of a sheet, until `see` has had enough.
pub(super) fn each_rule<'a>(sheet: &'a str, see: &mut impl FnMut(SheetRule<'a>) -> bool) -> bool {
    rules(sheet, (false, 0), see)
}

fn rules<'a>(
    sheet: &'a str,
    (is_conditional, depth): (bool, usize),
    see: &mut impl FnMut(SheetRule<'a>) -> bool,
) -> bool {
    let mut rest = sheet;
    loop {
        rest = without_comments(rest);
        let Some(open) = rest.find(['{', ';', '}']) else { return true };
        let head = rest[..open].trim();
        if rest.as_bytes()[open] != b'{' {
            rest = &rest[open + 1..];
            continue;
        }
        let (block, after) = block(&rest[open + 1..]);
        rest = after;
        let goes_on = match head.strip_prefix('@') {
            None => see(SheetRule { selectors: head, block, is_conditional }),
            Some(_) if depth >= MOST_DEPTH => true,
            Some(at) => match holds(at) {
                Some(holds) => rules(block, (is_conditional || !holds, depth + 1), see),
                None => true,
            },
        };
        if !goes_on {
            return false;
        }
    }
}

/// Whether the rules in a block hold on a screen of any size; none where there are no rules in it.
fn holds(at: &str) -> Option<bool> {
    let (name, condition) = at.split_once([' ', '(']).unwrap_or((at, ""));
    match name.to_ascii_lowercase().as_str() {
        "media" => {
            let condition = condition.trim().to_ascii_lowercase();
            Some(
                condition
                    .split(',')
                    .any(|part| matches!(part.trim(), "" | "all" | "screen" | "only screen")),
            )
        }
        "layer" => Some(true),
        "supports" | "container" | "scope" | "document" => Some(false),
        _ => None,
    }
}

/// What stands up to the closing brace, and what comes after it.
fn block(rest: &str) -> (&str, &str) {
    let mut depth = 0_u32;
    for at in memchr::memchr2_iter(b'{', b'}', rest.as_bytes()) {
        match (rest.as_bytes()[at], depth) {
            (b'{', _) => depth += 1,
            (_, 0) => return (&rest[..at], &rest[at + 1..]),
            _ => depth -= 1,
        }
    }
    (rest, "")
}

/// Without white space and comments at its beginning.
fn without_comments(mut rest: &str) -> &str {
    loop {
        rest = rest.trim_start();
        let comment = rest.strip_prefix("/*").or_else(|| rest.strip_prefix("<!--"));
        rest = match comment {
            Some(inside) if rest.starts_with("/*") => {
                inside.split_once("*/").map_or("", |two| two.1)
            }
            Some(inside) => inside,
            None => match rest.strip_prefix("-->") {
                Some(after) => after,
                None => return rest,
            },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(block: &str) -> Vec<Declared> {
        let mut found = Vec::new();
        declarations(block, |declared, _| found.push(declared));
        found
    }

    #[test]
    fn declarations_that_hide_are_told_from_those_that_do_not() {
        let check = |block: &str, expected: &[Declared]| assert_eq!(of(block), expected, "{block}");
        check("display:none", &[Declared::Shown(false)]);
        check(" DISPLAY : None !important; x", &[Declared::Shown(false)]);
        check("display:block", &[Declared::Shown(true)]);
        check("/* a */ color: #FFF", &[Declared::Colour(Ink::WHITE)]);
        check("background: #fff none", &[Declared::Ground(Ink::WHITE)]);
        check("background: url(a.png) #fff", &[Declared::Picture]);
        check("font-size:0", &[Declared::Size(FontSize::Pixels(0.0))]);
        check("font-size:50%", &[Declared::Size(FontSize::Times(0.5))]);
        check("font: 1px/1 serif", &[Declared::Size(FontSize::Pixels(1.0))]);
        check("position:absolute;left:-9999px", &[Declared::Lifted(true), Declared::Away(true)]);
        check("left:-20px", &[Declared::Away(false)]);
        check("text-indent:-999em", &[Declared::Indented(true)]);
        check("clip: rect(0 0 0 0)", &[Declared::Clipped(true)]);
        check("clip: rect(0, 200px, 50px, 0)", &[Declared::Clipped(false)]);
        check("clip-path: inset(50%)", &[Declared::Clipped(true)]);
        check("z-index:-1", &[Declared::Deep(true)]);
        check("-x-colour: red; colour: red; ;:", &[]);
    }

    #[test]
    fn rules_are_read_with_what_they_depend_on() {
        let check = |sheet: &str, expected: &[(&str, &str, bool)]| {
            let mut found = Vec::new();
            each_rule(sheet, &mut |rule| {
                found.push((rule.selectors, rule.block.trim(), rule.is_conditional));
                true
            });
            assert_eq!(found, expected, "{sheet}");
        };
        check("a{b:c}", &[("a", "b:c", false)]);
        check("@import 'x'; /* {} */ a { b:c } .d{}", &[("a", "b:c", false), (".d", "", false)]);
        check("@media print { a{b:c} } e{f:g}", &[("a", "b:c", true), ("e", "f:g", false)]);
        check("@media screen { a{b:c} }", &[("a", "b:c", false)]);
        check("@keyframes k { from{a:b} to{c:d} } e{f:g}", &[("e", "f:g", false)]);
        check("<!-- a{b:c} -->", &[("a", "b:c", false)]);
        for broken in ["{", "}", "a{", "@media{", "/*", "@", "a{b:c", "}}}{{{", ";{;}"] {
            each_rule(broken, &mut |_| true);
        }
    }
}
