//! The title of a page: what is written for machines, else the title element without the site's
//! name, which stands in front or behind between bars or dashes.

/// What stands between a title and the name of a site.
const BARS: &[&str] =
    &[" | ", " - ", " – ", " — ", " » ", " « ", " :: ", " · ", " • ", " / ", ": "];

/// The title by what was found: for machines, the title element, the first large heading, and the
/// name and host of the site.
pub(crate) fn title(told: &str, element: &str, heading: &str, site: &SiteName<'_>) -> String {
    let long = if told.is_empty() { element } else { told };
    if long.is_empty() {
        return heading.to_owned();
    }
    let cut = without_site(long, heading, site);
    // The title element often cuts a long heading short.
    let stem = cut.trim_end_matches(['…', '.', ' ']);
    let is_cut = stem.len() < cut.len() && heading.len() > stem.len() && heading.starts_with(stem);
    if is_cut { heading.to_owned() } else { cut.to_owned() }
}

/// What a site is called.
pub(crate) struct SiteName<'a> {
    /// The name it gives itself; empty when it gives none.
    pub(crate) name: &'a str,
    pub(crate) host: &'a str,
}

impl SiteName<'_> {
    /// Whether a part of a title names the site.
    fn is_named_by(&self, part: &str) -> bool {
        let part = letters(part);
        let name = letters(self.name);
        let named = |known: &str| {
            known.len() > 2 && (part == known || (part.len() > 3 && known.contains(&part)))
        };
        let host = letters(self.host.trim_start_matches("www."));
        !part.is_empty()
            && (named(&name) || named(&host) || (name.len() > 3 && part.starts_with(&name)))
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn without_site<'a>(title: &'a str, heading: &str, site: &SiteName<'_>) -> &'a str {
    for bar in BARS {
        if let Some((front, back)) = title.rsplit_once(bar)
            && (site.is_named_by(back) || is_heading(front, heading))
        {
            return without_site(front.trim(), heading, site);
        }
        if let Some((front, back)) = title.split_once(bar)
            && (site.is_named_by(front) || is_heading(back, heading))
        {
            return without_site(back.trim(), heading, site);
        }
    }
    title.trim()
}

/// Whether a part of a title is the heading, which it then has no need to be longer than.
fn is_heading(part: &str, heading: &str) -> bool {
    !heading.is_empty() && part.split_whitespace().count() > 1 && letters(part) == letters(heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_site_is_cut_off() {
        let check = |told: &str, element: &str, heading: &str, expected: &str| {
            let site = SiteName { name: "River News", host: "www.rivers.test" };
            assert_eq!(title(told, element, heading, &site), expected, "{told} {element}");
        };
        check("", "Eels return | River News", "", "Eels return");
        check("", "River News: Eels return", "", "Eels return");
        check("", "Eels - a story - rivers.test", "", "Eels - a story");
        check("", "Eels return - Fish and more", "Eels return", "Eels return");
        check("", "Eels - a story", "", "Eels - a story");
        check("Of eels", "Eels | River News", "Eels", "Of eels");
        check("", "Eels return to the…", "Eels return to the river", "Eels return to the river");
        check("", "", "Eels", "Eels");
        check("", "River News", "Eels", "River News");
    }
}
