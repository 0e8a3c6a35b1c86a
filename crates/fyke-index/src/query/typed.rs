//! A URL typed where words are expected: whoever knows the address wants to go there.

/// The URL that `text` is: one with `http://` or `https://`, or a host's name with or without a
/// path, which gets `http://` put before it. Nothing when it is words.
#[must_use]
pub fn typed_url(text: &str) -> Option<String> {
    let text = text.trim();
    if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '"') {
        return None;
    }
    let scheme = ["http://", "https://"].into_iter().find(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let rest = &text[scheme.map_or(0, str::len)..];
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = authority.split_once(':').unwrap_or((authority, "80"));
    let is_port = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    let fits = is_port && if scheme.is_some() { !host.is_empty() } else { is_host(host) };
    fits.then(|| scheme.map_or_else(|| format!("http://{rest}"), |_| text.to_owned()))
}

/// Whether this could be a host's name: labels joined by dots, the last of letters.
fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        let fits = label.chars().all(|c| c.is_alphanumeric() || c == '-');
        fits && !label.is_empty() && !label.starts_with('-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_top = last.starts_with("xn--") || last.chars().all(char::is_alphabetic);
    host.contains('.') && host.split('.').all(is_label) && is_top && last.chars().count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_or_a_host_is_known_from_words() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(typed_url(text).as_deref(), expected, "{text}");
        };
        check(" http://a.test/b?c=d ", Some("http://a.test/b?c=d"));
        check("HTTPS://localhost:8080", Some("HTTPS://localhost:8080"));
        check("a.test", Some("http://a.test"));
        check("www.a.test/wind", Some("http://www.a.test/wind"));
        check("a.test:8080/x", Some("http://a.test:8080/x"));
        check("čebela.test", Some("http://čebela.test"));
        for words in [
            "",
            "wind",
            "wind turbine",
            "3.14",
            "u.s.a.",
            "a.test b",
            "site:a.test",
            "http://",
            "x@a.test",
            "-a.b",
            "\"a.test\"",
            "e.g.",
            "and/or",
            "a..test",
        ] {
            check(words, None);
        }
    }
}
