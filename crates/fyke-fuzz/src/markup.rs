//! What markup may come out, whatever went in: elements of a list, written in one way, and balanced.

/// Elements of the simple markup that formats become.
const SIMPLE: &[&str] = &[
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "table", "tr", "td", "th", "pre",
    "b", "i",
];

/// Elements of a cached copy.
const COPIED: &[&str] = &[
    "a",
    "abbr",
    "article",
    "aside",
    "b",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "u",
    "ul",
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

/// Whether markup is that of a cached copy: no element, attribute or scheme but those it may have.
pub(crate) fn harmless(markup: &str) -> Result<(), String> {
    for tag in tags(markup) {
        let tag = tag?;
        let name = tag.strip_prefix('/').unwrap_or(tag);
        let target = tag
            .strip_prefix("a href=\"")
            .and_then(|rest| rest.strip_suffix("\" rel=\"nofollow noreferrer\" target=\"_blank\""));
        let is_safe = |target: &str| {
            (target.starts_with("http://") || target.starts_with("https://"))
                && !target.contains('"')
        };
        if !COPIED.contains(&name) && !target.is_some_and(is_safe) {
            return Err(format!("the element <{tag}>"));
        }
    }
    Ok(())
}
