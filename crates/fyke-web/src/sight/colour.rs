//! Colours as style sheets write them, as far as it takes to tell whether text has the colour of what is behind it.

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ink {
    Solid(u8, u8, u8),
    /// Nothing of it is seen.
    Clear,
    /// It is given in a way that is not read here, or half shines through.
    Unknown,
}

/// Channels of two colours that no reader tells apart differ by no more than this.
const ALIKE: u8 = 10;

/// Names that pages use; others are unknown.
const NAMES: &[(&str, u32)] = &[
    ("aqua", 0x00ffff),
    ("black", 0x000000),
    ("blue", 0x0000ff),
    ("cyan", 0x00ffff),
    ("darkgray", 0xa9a9a9),
    ("darkgrey", 0xa9a9a9),
    ("fuchsia", 0xff00ff),
    ("ghostwhite", 0xf8f8ff),
    ("gray", 0x808080),
    ("green", 0x008000),
    ("grey", 0x808080),
    ("ivory", 0xfffff0),
    ("lightgray", 0xd3d3d3),
    ("lightgrey", 0xd3d3d3),
    ("lime", 0x00ff00),
    ("magenta", 0xff00ff),
    ("maroon", 0x800000),
    ("navy", 0x000080),
    ("olive", 0x808000),
    ("orange", 0xffa500),
    ("purple", 0x800080),
    ("red", 0xff0000),
    ("silver", 0xc0c0c0),
    ("snow", 0xfffafa),
    ("teal", 0x008080),
    ("white", 0xffffff),
    ("whitesmoke", 0xf5f5f5),
    ("yellow", 0xffff00),
];

impl Ink {
    pub(super) const BLACK: Ink = Ink::Solid(0, 0, 0);
    pub(super) const WHITE: Ink = Ink::Solid(255, 255, 255);

    /// A colour in small letters.
    pub(super) fn read(text: &str) -> Ink {
        if let Some(digits) = text.strip_prefix('#') {
            return hex(digits).unwrap_or(Ink::Unknown);
        }
        if text == "transparent" {
            return Ink::Clear;
        }
        if let Some(inside) = text.strip_prefix("rgb") {
            return rgb(inside.trim_start_matches('a')).unwrap_or(Ink::Unknown);
        }
        let named = NAMES.binary_search_by(|row| row.0.cmp(text));
        named.map_or(Ink::Unknown, |at| of_number(NAMES[at].1))
    }

    /// As an attribute has it, where the number sign may be missing.
    pub(super) fn of_attribute(text: &str) -> Ink {
        match Ink::read(text) {
            Ink::Unknown => hex(text).unwrap_or(Ink::Unknown),
            ink => ink,
        }
    }

    /// Whether text in this colour cannot be told from the ground.
    pub(super) fn is_lost_on(self, ground: Ink) -> bool {
        match (self, ground) {
            (Ink::Clear, _) => true,
            (Ink::Solid(r, g, b), Ink::Solid(x, y, z)) => {
                [(r, x), (g, y), (b, z)].iter().all(|(a, b)| a.abs_diff(*b) <= ALIKE)
            }
            _ => false,
        }
    }
}

fn of_number(number: u32) -> Ink {
    let [_, r, g, b] = number.to_be_bytes();
    Ink::Solid(r, g, b)
}

fn hex(digits: &str) -> Option<Ink> {
    let digit = |at: usize| u8::from_str_radix(digits.get(at..=at)?, 16).ok();
    let pair = |at: usize| Some(digit(at)? << 4 | digit(at + 1)?);
    let (solid, alpha) = match digits.len() {
        3 | 4 => {
            let [r, g, b] = [digit(0)? * 17, digit(1)? * 17, digit(2)? * 17];
            (Ink::Solid(r, g, b), if digits.len() == 4 { digit(3)? * 17 } else { 255 })
        }
        6 | 8 => {
            let solid = Ink::Solid(pair(0)?, pair(2)?, pair(4)?);
            (solid, if digits.len() == 8 { pair(6)? } else { 255 })
        }
        _ => return None,
    };
    Some(shining(solid, f32::from(alpha) / 255.0))
}

fn shining(solid: Ink, alpha: f32) -> Ink {
    match alpha {
        a if a <= 0.02 => Ink::Clear,
        a if a >= 0.98 => solid,
        _ => Ink::Unknown,
    }
}

/// What stands in the brackets of `rgb(…)`, these included.
fn rgb(inside: &str) -> Option<Ink> {
    let inside = inside.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = inside.split([',', ' ', '/']).filter(|part| !part.is_empty());
    let mut channel = || {
        let part = parts.next()?;
        let value = match part.strip_suffix('%') {
            Some(percent) => percent.parse::<f32>().ok()? * 2.55,
            None => part.parse::<f32>().ok()?,
        };
        Some(value.clamp(0.0, 255.0) as u8)
    };
    let solid = Ink::Solid(channel()?, channel()?, channel()?);
    let alpha = parts.next().map_or(Some(1.0), |alpha| match alpha.strip_suffix('%') {
        Some(percent) => percent.parse::<f32>().ok().map(|percent| percent / 100.0),
        None => alpha.parse().ok(),
    });
    Some(shining(solid, alpha?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_each_way_of_writing() {
        let check = |text: &str, expected| assert_eq!(Ink::read(text), expected, "{text}");
        check("#fff", Ink::WHITE);
        check("#FFFFFF", Ink::WHITE);
        check("#ffffff00", Ink::Clear);
        check("#ffff", Ink::WHITE);
        check("#fff8", Ink::Unknown);
        check("white", Ink::WHITE);
        check("rgb(255, 255, 255)", Ink::WHITE);
        check("rgb(100% 100% 100% / 100%)", Ink::WHITE);
        check("rgba(0,0,0,0)", Ink::Clear);
        check("rgba(0,0,0,.5)", Ink::Unknown);
        check("transparent", Ink::Clear);
        for odd in ["", "#", "#ggg", "#é12", "rgb(", "rgb(1)", "var(--x)", "inherit", "rgba(a,b,c)"]
        {
            check(odd, Ink::Unknown);
        }
        assert_eq!(Ink::of_attribute("ffffff"), Ink::WHITE);
        assert!(NAMES.windows(2).all(|two| two[0].0 < two[1].0));
    }

    #[test]
    fn text_is_lost_where_no_reader_tells_it_from_the_ground() {
        let lost = |ink: &str, ground: &str| Ink::read(ink).is_lost_on(Ink::read(ground));
        assert!(lost("#fff", "white") && lost("#fefefe", "#fff") && lost("transparent", "red"));
        assert!(!lost("#eee", "#fff") && !lost("#fff", "#000") && !lost("var(--a)", "#fff"));
    }
}
