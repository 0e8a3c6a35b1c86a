//! Which pages are rendered: those of hosts that are named, and those whose source says little and has scripts.

use super::RenderOptions;
use fyke_formats::open;
use fyke_store::RenderCause;
use fyke_web::{Capture, scripted};

/// With so many words in its source a page speaks for itself.
const ENOUGH_WORDS: u32 = 50;
/// A source of more bytes is no shell that scripts fill.
const LARGEST: usize = 2 << 20;

/// Why a page is to be rendered; none: its source will do, or it is no page of HTML.
#[must_use]
pub fn render_cause(capture: &Capture, options: &RenderOptions) -> Option<RenderCause> {
    if capture.status != 200 || capture.truncated.is_some() || !is_html(capture) {
        return None;
    }
    if options.hosts.iter().any(|host| host == capture.url.authority()) {
        return Some(RenderCause::Named);
    }
    let page = scripted(open(capture).markup());
    (page.scripts > 0 && page.words < ENOUGH_WORDS).then_some(RenderCause::Scripted)
}

fn is_html(capture: &Capture) -> bool {
    let kind = capture.header("content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_named = matches!(kind.as_str(), "" | "text/html" | "application/xhtml+xml");
    is_named && capture.payload.len() <= LARGEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_web::Url;

    fn check(kind: &str, html: &str, cause: Option<RenderCause>) {
        let capture = Capture {
            url: Url::parse("http://a.test/").unwrap(),
            time: 0,
            status: 200,
            headers: vec![("Content-Type".into(), kind.into())],
            payload: html.as_bytes().to_vec(),
            truncated: None,
        };
        let mut options = RenderOptions::default();
        assert_eq!(render_cause(&capture, &options), cause, "{html}");
        options.hosts.push("a.test".to_owned());
        let named = cause.or(Some(RenderCause::Named).filter(|_| kind.starts_with("text/html")));
        assert_eq!(render_cause(&capture, &options).is_some(), named.is_some());
        let moved = Capture { status: 404, ..capture };
        assert_eq!(render_cause(&moved, &options), None);
    }

    #[test]
    fn a_page_is_rendered_that_says_little_and_has_scripts() {
        let shell = "<div id=app></div><script src=/app.js></script>";
        check("text/html", shell, Some(RenderCause::Scripted));
        check("text/html; charset=utf-8", "<p>short</p>", None);
        check("text/html", &format!("{}<script>count()</script>", "word ".repeat(60)), None);
        check("text/html", &format!("{shell}{}", "word ".repeat(49)), Some(RenderCause::Scripted));
        check("application/json", shell, None);
    }
}
