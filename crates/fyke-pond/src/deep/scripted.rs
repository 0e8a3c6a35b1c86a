//! A site whose texts and links are made by scripts (003 §3.2.6), by several ways; without them every page is an empty shell.
//! Beside its pages stand one that tries whatever a crawler must not do, and some that never come to an end.

use super::harmful;
use crate::hazards::prose;
use crate::robots::{self, PondRobots};
use crate::{Answer, AnswerKind, Ask, Body, Pond};
use serde_json::json;

/// By which ways pages are filled.
const WAYS: [&str; 5] = ["inline", "data", "late", "route", "element"];
/// Pages of each way.
const PAGES: usize = 8;
const SCRIPT: &str = include_str!("scripted.js");
const ROUTER: &str =
    "export const view = async (path) => (await fetch('/api' + path + '.json')).json();\n";
/// What only a crawler that goes past its bounds asks for.
const HARMFUL: [&str; 12] = [
    "/order",
    "/beacon",
    "/pixel.gif",
    "/socket",
    "/events",
    "/worker.js",
    "/sw.js",
    "/popup",
    "/download",
    "/prefetched",
    "/ip",
    "/secret/list.json",
];

/// Its robots.txt keeps data back that its scripts ask for.
pub(crate) const RULES: PondRobots = PondRobots {
    answer: |_, _| robots::text("User-agent: *\nDisallow: /secret/\n"),
    forbids: |_, path| path.starts_with("/secret/"),
    delay_ms: 0,
};

/// A page that scripts make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptedTruth {
    pub path: String,
    pub title: String,
    pub text: Vec<String>,
    /// Where it leads, as paths.
    pub links: Vec<String>,
}

/// Every page of the site but its home; each is reachable from there by links that scripts make.
#[must_use]
pub fn scripted_pages(pond: &Pond) -> Vec<ScriptedTruth> {
    let all = WAYS.into_iter().flat_map(|way| (0..PAGES).map(move |number| (way, number)));
    all.map(|(way, number)| truth(pond, way, number)).collect()
}

/// The page that tries what it may not: its path, and what it says.
#[must_use]
pub fn harm_page(pond: &Pond) -> (&'static str, String) {
    ("/harm", prose::text(pond, "scripted harm", 4))
}

/// Pages that hold a browser up: each runs for ever, asks for ever, or grows for ever.
pub const ENDLESS: [&str; 4] =
    ["/endless/loop", "/endless/asking", "/endless/growing", "/endless/timers"];

fn truth(pond: &Pond, way: &str, number: usize) -> ScriptedTruth {
    let key = format!("scripted {way} {number}");
    let text = (0..3).map(|part| prose::text(pond, &format!("{key} {part}"), 3)).collect();
    // A chain, and a way back.
    let next = (number + 1 < PAGES).then(|| format!("/{way}/{}", number + 1));
    let links = next.into_iter().chain(["/".to_owned()]).collect();
    ScriptedTruth { path: format!("/{way}/{number}"), title: key, text, links }
}

fn data(page: &ScriptedTruth) -> String {
    json!({ "title": page.title, "text": page.text, "links": page.links }).to_string()
}

pub(super) fn answer(pond: &Pond, ask: &Ask) -> Answer {
    let path = ask.path.split('?').next().unwrap_or_default();
    let path = path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(path);
    // A browser that asks by itself asks behind no robots.txt and no gap.
    let is_browser = ask.header("user-agent").is_some_and(|name| name.contains("Mozilla"));
    if is_browser || !matches!(ask.method, "GET" | "HEAD") || HARMFUL.contains(&path) {
        return harmful("no crawler asks for this");
    }
    match path {
        "/" => home(),
        "/scripts.js" => script(SCRIPT),
        "/router.js" => script(ROUTER),
        "/harm" => {
            let text = harm_page(pond).1;
            shell(&format!("<script src=/scripts.js data-way=harm data-text=\"{text}\"></script>"))
        }
        "/frame" => shell("<script>document.title = 'a frame'</script>"),
        "/moved" => shell("<script>document.title = 'moved'</script>"),
        "/endless/loop" => shell("<script>for (;;) {}</script>"),
        "/endless/asking" => shell(
            "<script>for (let n = 0; n < 20000; n++) fetch('/api/none?' + n).catch(() => {})</script>",
        ),
        "/endless/growing" => shell(
            "<script>for (let n = 0; n < 40; n++) document.getElementById('app').append(\
             document.createTextNode('grow '.repeat(1 << 20)))</script>",
        ),
        "/endless/timers" => shell(
            "<script>let n = 0; const more = () => { document.title = ++n; setTimeout(more, 1) }; more();\
             setInterval(() => fetch('/api/none?' + ++n).catch(() => {}), 10)</script>",
        ),
        _ => page(pond, path),
    }
}

/// A page of one of the ways, or the data of one.
fn page(pond: &Pond, path: &str) -> Answer {
    let asked = path.strip_prefix("/api").and_then(|path| path.strip_suffix(".json"));
    let wanted = asked.unwrap_or(path);
    let Some(found) = scripted_pages(pond).into_iter().find(|page| page.path == wanted) else {
        return Answer::missing();
    };
    if asked.is_some() {
        let headers = vec![("content-type", "application/json".into())];
        let body = Body::Bytes(data(&found).into_bytes());
        return Answer { status: 200, headers, body, kind: AnswerKind::Other };
    }
    let way = wanted.split('/').nth(1).unwrap_or_default();
    match way {
        "inline" => shell(&format!(
            "<script>const page = {}; document.title = page.title; document.getElementById('app').innerHTML = \
             '<h1>' + page.title + '</h1><p>' + page.text.join('</p><p>') + '</p>' + \
             page.links.map((link) => '<a href=' + link + '>' + link + '</a>').join(' ')</script>",
            data(&found)
        )),
        way => shell(&format!("<script src=/scripts.js data-way={way}></script>")),
    }
}

/// Its links are made by a script that stands in it.
fn home() -> Answer {
    let mut links: Vec<String> = WAYS.map(|way| format!("/{way}/0")).to_vec();
    links.push("/harm".to_owned());
    shell(&format!(
        "<script>for (const link of {}) {{ const a = document.createElement('a'); a.href = link; \
         a.textContent = 'A story: ' + link; document.getElementById('app').append(a, ' ') }}</script>",
        json!(links)
    ))
}

fn shell(script: &str) -> Answer {
    let html = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><title>Loading</title><link rel=stylesheet href=/style.css></head>\
         <body><div id=app></div><noscript>Please run scripts.</noscript>{script}</body></html>"
    );
    Answer::html(AnswerKind::Page, html.into_bytes())
}

fn script(text: &str) -> Answer {
    let headers = vec![("content-type", "text/javascript; charset=utf-8".into())];
    let body = Body::Bytes(text.as_bytes().to_vec());
    Answer { status: 200, headers, body, kind: AnswerKind::Other }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deep::SCRIPTED;

    #[test]
    fn without_scripts_the_site_says_and_links_nothing() {
        let pond = Pond::deep(7);
        let pages = scripted_pages(&pond);
        assert_eq!(pages.len(), WAYS.len() * PAGES);
        let home = Ask::get(SCRIPTED, "/");
        for path in pages.iter().map(|page| page.path.as_str()).chain(["/"]) {
            let Body::Bytes(html) = pond.answer(&Ask { path, ..home }).body else {
                panic!("{path}")
            };
            let html = String::from_utf8(html).unwrap();
            assert!(!html.contains("<a ") || html.contains("<script>"), "{path}: {html}");
            assert!(!html.contains("<p>The") && html.contains("<script"), "{path}: {html}");
        }
    }

    #[test]
    fn what_does_harm_is_counted() {
        let pond = Pond::deep(7);
        let home = Ask::get(SCRIPTED, "/");
        for (method, path) in
            [("POST", "/data/0"), ("GET", "/beacon"), ("OPTIONS", "/"), ("PUT", "/order")]
        {
            assert_eq!(
                pond.answer(&Ask { method, path, ..home }).kind,
                AnswerKind::Harmful,
                "{path}"
            );
        }
        let robots = pond.answer(&Ask { path: "/robots.txt", ..home });
        let Body::Bytes(text) = robots.body else { panic!("no robots.txt") };
        assert!(text.windows(8).any(|part| part == b"/secret/"));
    }
}
