//! A forum as phpBB makes it: threads by number, sorted lists of them, a URL for every post that shows its thread, and a
//! form to log in that remembers where one came from.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title};
use std::fmt::Write as _;

const FORUMS: usize = 6;
const THREADS: usize = 120;
const POSTS: usize = 4;
const PER_PAGE: usize = 10;
const SITE: &str = "board.kinds.test";

pub(super) const ROW: SiteKind = SiteKind {
    name: "board",
    host: SITE,
    what: "120 threads in 6 forums, listed ten at a time in six orders; a URL for each of four posts of a thread that shows \
           the whole thread; a session in every link; a form to log in from every page.",
    documents: THREADS,
    most_requests: 360,
    page,
};

/// A session: another for each page that links.
fn session(from: &str) -> String {
    let sum = from.bytes().fold(17_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("{sum:08x}{:08x}", sum.rotate_left(9))
}

fn page(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    let sid = session(asked);
    let login = item(&format!("/ucp.php?mode=login&redirect={}", session(asked)), "Log in");
    match path {
        "/" => {
            let forum =
                |f: usize| item(&format!("/viewforum.php?f={f}&sid={sid}"), &format!("Forum {f}"));
            let rows: String = (1..=FORUMS).map(forum).collect();
            list(html(SITE, "The board", &format!("<ul>{rows}</ul>{login}")))
        }
        "/ucp.php" => list(html(SITE, "Log in", "<form><p>Name and password, please</p></form>")),
        "/viewforum.php" => {
            let forum = number(query, "f").filter(|f| (1..=FORUMS).contains(f))?;
            let start = number(query, "start").unwrap_or(0);
            forum_page(&ForumView { forum, start, query, sid: &sid }, &login)
        }
        "/viewtopic.php" => {
            let post = number(query, "p").map(|post| post / POSTS);
            let thread = post.or_else(|| number(query, "t")).filter(|t| *t < THREADS)?;
            document(thread, thread_page(thread, &sid, &login))
        }
        _ => None,
    }
}

/// What of a forum is asked for.
struct ForumView<'a> {
    forum: usize,
    /// Threads that are passed over.
    start: usize,
    /// Says how they are sorted.
    query: &'a str,
    sid: &'a str,
}

fn forum_page(
    &ForumView { forum, start, query, sid }: &ForumView<'_>,
    login: &str,
) -> Option<KindPage> {
    let mut threads: Vec<usize> =
        (0..THREADS).filter(|thread| thread % FORUMS + 1 == forum).collect();
    if query.contains("sd=d") {
        threads.reverse();
    }
    if query.contains("sk=r") {
        threads.sort_by_key(|thread| thread % 7);
    }
    let mut rows = String::new();
    for thread in threads.iter().skip(start).take(PER_PAGE) {
        rows +=
            &item(&format!("/viewtopic.php?f={forum}&t={thread}&sid={sid}"), &title(SITE, *thread));
    }
    let order =
        |key: &str, way: &str| format!("/viewforum.php?f={forum}&sk={key}&sd={way}&start={start}");
    for (key, way) in [("t", "a"), ("t", "d"), ("a", "a"), ("a", "d"), ("r", "a"), ("r", "d")] {
        rows += &item(&order(key, way), "Order");
    }
    if start + PER_PAGE < threads.len() {
        rows += &item(&format!("/viewforum.php?f={forum}&start={}", start + PER_PAGE), "Next");
    }
    list(html(SITE, &format!("Forum {forum}"), &format!("<ul>{rows}</ul>{login}")))
}

fn thread_page(thread: usize, sid: &str, login: &str) -> String {
    let mut main = String::new();
    for post in 0..POSTS {
        let id = thread * POSTS + post;
        let _ = writeln!(main, "<p>{}</p>", text(SITE, id, 3));
        main += &item(&format!("/viewtopic.php?p={id}&sid={sid}"), "Post");
    }
    html(SITE, &title(SITE, thread), &format!("{main}{login}"))
}
