//! What markup may come out, whatever went in: elements of a list, written in one way, and balanced.

/// Elements of the simple markup that formats become.
const SIMPLE: &[&str] = &[
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "table", "tr", "td", "th", "pre",
    "b", "i",
];

/// Elements that a browser would load, run, send or fill in, or after which it reads markup in another way.
const ACTIVE: &[&str] = &[
    "applet",
    "area",
    "audio",
    "base",
    "body",
    "button",
    "canvas",
    "datalist",
    "dialog",
    "embed",
    "fieldset",
    "form",
    "frame",
    "frameset",
    "head",
    "html",
    "iframe",
    "image",
    "img",
    "input",
    "isindex",
    "keygen",
    "link",
    "listing",
    "map",
    "marquee",
    "math",
    "meta",
    "meter",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "optgroup",
    "option",
    "output",
    "param",
    "picture",
    "plaintext",
    "portal",
    "progress",
    "script",
    "select",
    "slot",
    "source",
    "style",
    "svg",
    "template",
    "textarea",
    "title",
    "track",
    "video",
    "xmp",
];

/// Writes text escaped.
pub(crate) fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            other => out.push(other),
        }
    }
}

/// The tags of markup: what stands between `<` and the `>` that ends it, which may stand in quotes as well.
fn tags(markup: &str) -> impl Iterator<Item = Result<&str, String>> {
    markup.split('<').skip(1).map(|rest| {
        let mut is_quoted = false;
        let end = rest.find(|letter| {
            is_quoted ^= letter == '"';
            letter == '>' && !is_quoted
        });
        let (tag, text) = rest.split_at(end.ok_or("a tag without end")?);
        if text[1..].contains('>') { Err(format!("an open > behind <{tag}>")) } else { Ok(tag) }
    })
}

/// Whether markup is that of a converted format: the elements of the list, balanced, text escaped.
pub(crate) fn simple(markup: &str) -> Result<(), String> {
    let mut open = Vec::new();
    for tag in tags(markup) {
        let tag = tag?;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
        } else if is_link(tag) {
            open.push("a");
        } else if is_page(tag) {
            open.push("section");
        } else if SIMPLE.contains(&tag) {
            open.push(tag);
        } else {
            return Err(format!("the element <{tag}>"));
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("open to the end: {open:?}")) }
}

fn is_link(tag: &str) -> bool {
    let target = tag.strip_prefix("a href=\"").and_then(|rest| rest.strip_suffix('"'));
    target.is_some_and(|target| !target.contains('"'))
}

fn is_page(tag: &str) -> bool {
    if tag == "section" {
        return true;
    }
    let number = tag.strip_prefix("section data-page=\"").and_then(|rest| rest.strip_suffix('"'));
    number.is_some_and(|number| number.parse::<usize>().is_ok_and(|number| number > 0))
}

/// Whether markup may stand in a cached copy: no element that does anything, no attribute but where a link leads,
/// and that to http or https.
pub(crate) fn harmless(markup: &str) -> Result<(), String> {
    for tag in tags(markup) {
        let tag = tag?;
        let name = tag.strip_prefix('/').unwrap_or(tag);
        let is_plain = name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && !ACTIVE.contains(&name);
        let target = tag
            .strip_prefix("a href=\"")
            .and_then(|rest| rest.strip_suffix("\" rel=\"nofollow noreferrer\" target=\"_blank\""));
        let is_safe = |target: &str| {
            (target.starts_with("http://") || target.starts_with("https://"))
                && !target.contains('"')
        };
        if !is_plain && !target.is_some_and(is_safe) {
            return Err(format!("the element <{tag}>"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_something_is_not_harmless_and_what_shapes_text_is() {
        let link = r#"<a href="https://a.test/" rel="nofollow noreferrer" target="_blank">a</a>"#;
        for good in ["<p>eel</p>", "<h1>a</h1><br>", "<blockquote><em>x</em></blockquote>", link] {
            assert_eq!(harmless(good), Ok(()), "{good}");
        }
        for bad in [
            "<script>x</script>",
            "<img>",
            "<p onclick=\"x\">eel</p>",
            "<P>eel</P>",
            "<x-y>eel</x-y>",
            "<!-- x -->",
            "<a href=\"javascript:x\" rel=\"nofollow noreferrer\" target=\"_blank\">a</a>",
            "<p>a > b</p>",
        ] {
            assert!(harmless(bad).is_err(), "{bad}");
        }
    }
}
