//! A repository as cgit shows it: a commit has a page, a difference and a patch of the same text, and every file stands
//! under every commit.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title, value};

const FILES: usize = 30;
const COMMITS: usize = 60;
const PER_PAGE: usize = 20;
const SITE: &str = "repository.kinds.test";

pub(super) const ROW: SiteKind = SiteKind {
    name: "repository",
    host: SITE,
    what: "30 files and 60 commits. A file stands under each of 60 ids, and says something else since half of them at the \
           most; a commit has a page, a difference and a patch.",
    documents: FILES + COMMITS,
    most_requests: 500,
    page,
};

fn id(commit: usize) -> String {
    format!("{:016x}{:04x}", (commit + 1) * 0x9E37_79B9_7F4A, commit * 977)
}

fn commit_of(query: &str) -> Option<usize> {
    match value(query, "id") {
        None => Some(0),
        Some(asked) => (0..COMMITS).find(|commit| id(*commit) == asked),
    }
}

fn file_name(file: usize) -> String {
    format!("/src/part{}.c", (b'a' + file as u8 % 26) as char)
        .replace(".c", &format!("{}.c", file / 26))
}

fn page(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    let commit = commit_of(query)?;
    let at = id(commit);
    match path {
        "/" => {
            let rows = [("/log/", "Log"), ("/tree/", "Tree"), ("/refs/", "Refs")];
            list(html(SITE, "A repository", &rows.map(|(to, name)| item(to, name)).concat()))
        }
        "/refs/" => {
            let tag = |n: usize| item(&format!("/tag/?id={}", id(n * 12)), &format!("v{n}"));
            list(html(SITE, "Refs", &(0..5).map(tag).collect::<String>()))
        }
        "/tag/" => {
            let rows = item(&format!("/commit/?id={at}"), "Commit");
            list(html(
                SITE,
                &format!("Tag of {at}"),
                &(rows + &item(&format!("/tree/?id={at}"), "Tree")),
            ))
        }
        "/log/" => log(number(query, "ofs").unwrap_or(0)),
        "/commit/" | "/diff/" | "/patch/" => {
            let main = format!("<pre>{}</pre>", text(SITE, 500 + commit, 6));
            let others = ["/commit/", "/diff/", "/patch/", "/tree/"];
            let links = others.map(|to| item(&format!("{to}?id={at}"), to)).concat();
            let before = item(&format!("/commit/?id={}", id((commit + 1) % COMMITS)), "Parent");
            document(
                FILES + commit,
                html(SITE, &title(SITE, 500 + commit), &format!("{main}{links}{before}")),
            )
        }
        "/tree/" => {
            let file = |f: usize| item(&format!("/tree{}?id={at}", file_name(f)), &file_name(f));
            list(html(SITE, &format!("Tree of {at}"), &(0..FILES).map(file).collect::<String>()))
        }
        _ => {
            let (_, name) = path.split_at_checked(path.find("/src")?)?;
            let file = (0..FILES).find(|file| file_name(*file) == name)?;
            // A newer text from this commit on.
            let edition = usize::from(commit < file * 2);
            let main = format!("<pre>{}</pre>", text(SITE, file + 100 * edition, 8));
            let links =
                ["/blame", "/plain", "/tree"].map(|to| item(&format!("{to}{name}?id={at}"), to));
            document(file, html(SITE, name, &format!("{main}{}", links.concat())))
        }
    }
}

fn log(from: usize) -> Option<KindPage> {
    (from < COMMITS).then_some(())?;
    let to = (from + PER_PAGE).min(COMMITS);
    let row = |n: usize| item(&format!("/commit/?id={}", id(n)), &title(SITE, 500 + n));
    let mut rows: String = (from..to).map(row).collect();
    if to < COMMITS {
        rows += &item(&format!("/log/?ofs={to}"), "Next");
    }
    list(html(SITE, "Log", &rows))
}
