//! What a page asks of robots and browsers: meta robots, X-Robots-Tag, refresh, the Link header.

/// Links of one answer's headers that are looked at.
const MOST_HEADER_LINKS: usize = 100;

/// The name under which pages may address us alone.
pub(super) const AGENT: &str = "fyke";

/// What a page forbids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RobotsMeta {
    pub(super) noindex: bool,
    pub(super) nofollow: bool,
}

impl RobotsMeta {
    /// Adds the directives of a list ("noindex, nofollow"); they can only forbid more.
    pub(super) fn read(&mut self, list: &str) {
        for word in list.split(|c: char| c == ',' || c == ';' || c.is_whitespace()) {
            let none = word.eq_ignore_ascii_case("none");
            self.noindex |= none || word.eq_ignore_ascii_case("noindex");
            self.nofollow |= none || word.eq_ignore_ascii_case("nofollow");
        }
    }
}

/// Directives that have a colon of their own, so that the word before it is no agent.
const WITH_VALUE: &[&str] =
    &["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// Whether what stands before a colon names an agent, and is no directive and no part of a date
/// ("25 Jun 2031 15:00:00 GMT", "15:00").
fn is_agent(word: &str) -> bool {
    let is_token =
        word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'*'));
    let is_number = word.bytes().all(|b| b.is_ascii_digit());
    is_token && !is_number && !WITH_VALUE.iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// X-Robots-Tag headers. "name: list" binds only the agent of that name.
pub(super) fn robots_header<'a>(values: impl Iterator<Item = &'a str>) -> RobotsMeta {
    let mut robots = RobotsMeta::default();
    for value in values {
        let mut for_us = true;
        for part in value.split(',') {
            let mut directive = part;
            if let Some((before, after)) = part.split_once(':') {
                let before = before.trim();
                if is_agent(before) {
                    for_us = before.eq_ignore_ascii_case(AGENT) || before == "*";
                    directive = after;
                }
            }
            if for_us {
                robots.read(directive);
            }
        }
    }
    robots
}

/// One link of a Link header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeaderLink<'a> {
    pub(crate) target: &'a str,
    /// The words of its `rel`.
    pub(super) rel: &'a str,
    has_language: bool,
}

impl HeaderLink<'_> {
    pub(crate) fn is(&self, word: &str) -> bool {
        self.rel.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word))
    }

    /// Whether it leads to a page that is worth following.
    pub(super) fn leads_on(&self) -> bool {
        leads_on(self.rel, self.has_language)
    }
}

/// Whether a link beside the text of a page leads to another page: its neighbours in a list, or itself in another
/// language.
pub(super) fn leads_on(rel: &str, has_language: bool) -> bool {
    let is_neighbour = |word: &str| {
        ["next", "prev", "previous"].iter().any(|name| name.eq_ignore_ascii_case(word))
    };
    rel.split_ascii_whitespace()
        .any(|word| is_neighbour(word) || has_language && word.eq_ignore_ascii_case("alternate"))
}

/// The links of Link headers (RFC 8288).
pub(crate) fn header_links<'a>(values: impl Iterator<Item = &'a str>) -> Vec<HeaderLink<'a>> {
    let mut links = Vec::new();
    for value in values {
        let mut rest = value;
        while let Some((target, after)) =
            rest.split_once('<').and_then(|(_, rest)| rest.split_once('>'))
        {
            let parameters = &after[..after.find('<').unwrap_or(after.len())];
            let mut link = HeaderLink { target: target.trim(), rel: "", has_language: false };
            for (name, value) in parameters.split([';', ',']).filter_map(|p| p.split_once('=')) {
                match name.trim().to_ascii_lowercase().as_str() {
                    // The first counts, by the standard.
                    "rel" if link.rel.is_empty() => link.rel = value.trim().trim_matches('"'),
                    "hreflang" => link.has_language = true,
                    _ => {}
                }
            }
            links.push(link);
            if links.len() == MOST_HEADER_LINKS {
                return links;
            }
            rest = after;
        }
    }
    links
}

/// The target of a refresh ("5; url='/next'"), none when the page only reloads itself.
pub(super) fn refresh(content: &str) -> Option<&str> {
    let content = content.trim_start();
    let rest = content.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if rest.len() == content.len() {
        return None;
    }
    let rest = rest.trim_start().trim_start_matches([';', ',']).trim();
    let target = match rest.get(..3) {
        Some(word) if word.eq_ignore_ascii_case("url") => {
            let after = rest[3..].trim_start();
            after.strip_prefix('=').map_or(rest, str::trim_start)
        }
        _ => rest,
    };
    let quote = target.chars().next().filter(|c| matches!(c, '"' | '\''));
    let target = match quote {
        Some(quote) => target[1..].split(quote).next().unwrap_or_default(),
        None => target,
    };
    Some(target.trim()).filter(|target| !target.is_empty())
}

/// The first language of a list ("sl-SI, en"), in lower case, when it looks like a tag.
pub(super) fn language(list: &str) -> Option<String> {
    let first = list.split(',').next()?.trim();
    let fits = first.len() >= 2
        && first.len() <= 35
        && first.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    fits.then(|| first.to_ascii_lowercase().replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robots_header_binds_all_or_the_agent_it_names() {
        let check = |value: &str, noindex, nofollow| {
            let found = robots_header([value].into_iter());
            assert_eq!(found, RobotsMeta { noindex, nofollow }, "{value}");
        };
        check("noindex", true, false);
        check("NoIndex, NoFollow", true, true);
        check("none", true, true);
        check("fyke: noindex, nofollow", true, true);
        check("otherbot: noindex, nofollow", false, false);
        check("otherbot: noindex, fyke: nofollow", false, true);
        check("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", true, false);
        check("unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT, noindex", true, false);
        check("unavailable_after: Wed, 15:00, noindex", true, false);
        check("otherbot: unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT, noindex", false, false);
        check("max-snippet: 20, nofollow", false, true);
        check("googlebot : noindex", false, false);
        check("360Spider: noindex, *: nofollow", false, true);
        check("", false, false);
    }

    #[test]
    fn each_robots_header_names_its_agents_anew() {
        let headers = ["otherbot: nofollow", "noindex", "other_bot-2: none"];
        let found = robots_header(headers.into_iter());
        assert_eq!(found, RobotsMeta { noindex: true, nofollow: false });
    }

    #[test]
    fn a_refresh_names_its_target_in_many_spellings() {
        let check = |content: &str, expected| assert_eq!(refresh(content), expected, "{content}");
        check("0; url=/next", Some("/next"));
        check("5;URL='/next'", Some("/next"));
        check("5, url = \"/next\" trailing", Some("/next"));
        check("0.5 /next", Some("/next"));
        check("0;/next", Some("/next"));
        check("5", None);
        check("5;", None);
        check("0; url=", None);
        check("url=/next", None);
    }

    #[test]
    fn a_link_header_may_name_the_canonical_form() {
        let check = |value: &str, expected| {
            let links = header_links([value].into_iter());
            let canonical = links.iter().find(|link| link.is("canonical"));
            assert_eq!(canonical.map(|link| link.target), expected, "{value}");
        };
        check("<http://a.test/x>; rel=\"canonical\"", Some("http://a.test/x"));
        check("</s.css>; rel=preload, </x?a,b>; rel=canonical", Some("/x?a,b"));
        check("</x>; rel=\"next canonical\"", Some("/x"));
        check("</x>; rel=next", None);
        check("</x", None);
        check("<", None);
    }

    #[test]
    fn a_link_header_may_lead_on() {
        let check = |value: &str, expected: &[&str]| {
            let links = header_links([value].into_iter());
            let on = links.iter().filter(|link| link.leads_on()).map(|link| link.target);
            assert_eq!(on.collect::<Vec<_>>(), expected, "{value}");
        };
        check("</2>; rel=\"next\", </0>; rel=prev", &["/2", "/0"]);
        check("</de>; rel=alternate; hreflang=de, </feed>; rel=alternate; type=x", &["/de"]);
        check("</s.css>; rel=preload; as=style, </api>; rel=\"https://api.w.org/\"", &[]);
        let many = "</x>; rel=next,".repeat(500);
        assert_eq!(header_links([many.as_str()].into_iter()).len(), MOST_HEADER_LINKS);
    }

    #[test]
    fn only_language_tags_are_languages() {
        assert_eq!(language("sl-SI, en"), Some("sl-si".into()));
        assert_eq!(language("en_US"), Some("en-us".into()));
        assert_eq!(language("x"), None);
        assert_eq!(language("<script>"), None);
    }
}
