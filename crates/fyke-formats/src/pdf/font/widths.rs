//! Widths of the standard fonts, which files need not give.

use std::sync::LazyLock;

/// Typewriter fonts have one width.
const COURIER: f32 = 600.0;

static WIDTHS: LazyLock<Vec<(&'static str, Vec<f32>)>> = LazyLock::new(|| {
    let file = include_str!("../../../data/pdf-widths.txt");
    let row = |line: &'static str| {
        let (name, widths) = line.split_once(' ')?;
        Some((name, widths.split(' ').filter_map(|width| width.parse().ok()).collect()))
    };
    file.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
});

/// The width of a character in the standard font that is most like `name`.
pub(super) fn standard(name: &str, bold: bool, italic: bool, character: char) -> f32 {
    if name.contains("Courier") || name.contains("Mono") {
        return COURIER;
    }
    let serif = ["Times", "Roman", "Serif", "Georgia", "Garamond"];
    let row = match (serif.iter().any(|part| name.contains(part)), bold, italic) {
        (false, false, _) => "Helvetica",
        (false, true, _) => "Helvetica-Bold",
        (true, false, false) => "Times-Roman",
        (true, true, false) => "Times-Bold",
        (true, false, true) => "Times-Italic",
        (true, true, true) => "Times-BoldItalic",
    };
    let widths = WIDTHS.iter().find(|(name, _)| *name == row).map(|(_, widths)| widths);
    let like = if character.is_uppercase() { 'N' } else { 'n' };
    let width = |c: char| widths?.get((c as usize).checked_sub(32)?).copied();
    width(character).or_else(|| width(like)).unwrap_or(500.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_has_its_95_widths() {
        assert_eq!(WIDTHS.len(), 6);
        assert!(WIDTHS.iter().all(|(_, widths)| widths.len() == 95));
        assert_eq!(standard("Helvetica", false, false, 'A'), 667.0);
        assert_eq!(standard("TimesNewRoman", true, false, 'A'), 722.0);
        assert_eq!(standard("Arial", false, false, 'č'), 556.0);
        assert_eq!(standard("CourierNew", false, false, 'i'), 600.0);
    }
}
