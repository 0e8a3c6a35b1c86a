//! Name: the query is the name of a site, and this is its front page ("navigational
//! queries"). Compared are letters and digits only: `wind power` names wind-power.example.

use super::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "name",
    what: "the query names the site whose front page this is",
    weight: 4.0,
    values: |head| {
        let asked = squeezed(head.parts.iter().map(|part| part.name.as_str()));
        Ok(head.each(|c| {
            let segment = &head.index.snapshot.segments[c.segment];
            let is_front = segment.depth(c.doc) == 0;
            let names = is_front && segment.host(c.doc).is_some_and(|host| is_name(&asked, &host));
            f32::from(u8::from(names))
        }))
    },
};

/// Whether `asked` is the host without `www.`, or a label of it other than the last.
fn is_name(asked: &str, host: &str) -> bool {
    let host = host.strip_prefix("www.").unwrap_or(host);
    let labels = host.rsplit_once('.').map_or(host, |(labels, _)| labels);
    let is_asked = |part: &str| squeezed([part]) == asked;
    asked.len() > 1 && (is_asked(host) || labels.split('.').any(is_asked))
}

fn squeezed<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    parts.into_iter().flat_map(str::chars).filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_named_by_its_host_or_a_label_of_it() {
        let check = |words: &[&str], host: &str, expected: bool| {
            let asked = squeezed(words.iter().copied());
            assert_eq!(is_name(&asked, host), expected, "{words:?} {host}");
        };
        check(&["wind", "power"], "wind-power.example", true);
        check(&["wind", "power"], "www.windpower.co.example", true);
        check(&["wind-power.example"], "wind-power.example", true);
        check(&["wind"], "wind-power.example", false);
        check(&["example"], "wind-power.example", false);
        check(&["w"], "w.example", false);
        check(&[], "a.example", false);
    }
}
