//! A tracker of bugs as Bugzilla makes it: every bug in four forms, lists of them in many orders, and a history for each
//! that is most often empty.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title};
use std::fmt::Write as _;

const BUGS: usize = 150;
const PARTS: usize = 5;
const SITE: &str = "tracker.kinds.test";

pub(super) const ROW: SiteKind = SiteKind {
    name: "tracker",
    host: SITE,
    what: "150 bugs of five components, listed in six orders; of each a form for printing, a form as XML, a history that is \
           empty, and a page of votes.",
    documents: BUGS,
    most_requests: 360,
    page,
};

fn page(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    let of = || number(query, "id").filter(|bug| *bug < BUGS);
    match path {
        "/" => {
            let part =
                |p: usize| item(&format!("/buglist.cgi?component={p}"), &format!("Part {p}"));
            list(html(SITE, "Bugs", &(0..PARTS).map(part).collect::<String>()))
        }
        "/buglist.cgi" => buglist(number(query, "component").filter(|part| *part < PARTS)?, query),
        "/show_bug.cgi" => {
            let bug = of()?;
            document(bug, show(bug))
        }
        "/show_activity.cgi" => {
            let bug = of()?;
            let main = format!("<p>No changes have been made to bug {bug} yet.</p>");
            let back = item(&format!("/show_bug.cgi?id={bug}"), "Back to the bug");
            list(html(SITE, &format!("Changes made to bug {bug}"), &format!("{main}{back}")))
        }
        "/votes.cgi" => {
            let bug = number(query, "bug_id").filter(|bug| *bug < BUGS)?;
            list(html(
                SITE,
                &format!("Votes for bug {bug}"),
                "<p>Nobody has voted for this bug.</p>",
            ))
        }
        _ => None,
    }
}

fn buglist(part: usize, query: &str) -> Option<KindPage> {
    let mut bugs: Vec<usize> = (0..BUGS).filter(|bug| bug % PARTS == part).collect();
    let order = query.split_once("order=").map_or("", |(_, order)| order);
    match order {
        "id_desc" => bugs.reverse(),
        "changed" => bugs.sort_by_key(|bug| bug * 17 % 41),
        "owner" => bugs.sort_by_key(|bug| bug * 5 % 23),
        "title" => bugs.sort_by_key(|bug| title(SITE, *bug)),
        _ => {}
    }
    let mut rows = String::new();
    for order in ["id", "id_desc", "changed", "owner", "title", "state"] {
        rows += &item(&format!("/buglist.cgi?component={part}&order={order}"), order);
    }
    for bug in bugs {
        rows += &item(&format!("/show_bug.cgi?id={bug}"), &title(SITE, bug));
    }
    list(html(SITE, &format!("Bugs of part {part}"), &rows))
}

fn show(bug: usize) -> String {
    let mut main = String::new();
    for comment in 0..3 {
        let _ = writeln!(main, "<p>{}</p>", text(SITE, bug * 3 + comment, 3));
    }
    main += &item(&format!("/show_bug.cgi?format=multiple&id={bug}"), "For printing");
    main += &item(&format!("/show_bug.cgi?ctype=xml&id={bug}"), "As XML");
    main += &item(&format!("/show_activity.cgi?id={bug}"), "History");
    main += &item(&format!("/votes.cgi?action=show&bug_id={bug}"), "Votes");
    let near = (bug * 11 + 3) % BUGS;
    main += &item(&format!("/show_bug.cgi?id={near}"), &format!("Depends on {near}"));
    html(SITE, &title(SITE, bug), &main)
}
