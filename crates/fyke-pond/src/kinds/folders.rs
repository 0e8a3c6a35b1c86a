//! Folders as a web server lists them, each in eight orders, and a directory of people, a card for each.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text};

const FOLDER_SITE: &str = "folders.kinds.test";
const FOLDERS: usize = 12;
const FILES: usize = 10;

pub(super) const FOLDERS_ROW: SiteKind = SiteKind {
    name: "folders",
    host: FOLDER_SITE,
    what: "120 files in 12 folders, each of which is listed in eight orders by ?C= and ;O=, as servers do by themselves.",
    documents: FOLDERS * FILES,
    most_requests: 210,
    page: folders,
};

fn folders(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    let mut rows = String::new();
    for key in ["N", "M", "S", "D"] {
        let way = if query == format!("C={key};O=A") { "D" } else { "A" };
        rows += &item(&format!("?C={key};O={way}"), key);
    }
    let listed = |mut files: Vec<String>| {
        match query {
            "C=N;O=D" | "C=D;O=D" => files.reverse(),
            "C=M;O=A" => files.sort_by_key(|file| file.len() * 31 % 7),
            "C=S;O=A" => {
                files.sort_by_key(|file| file.bytes().map(usize::from).sum::<usize>() % 13);
            }
            _ => {}
        }
        files.concat()
    };
    if path == "/" {
        let folders = (0..FOLDERS).map(|f| item(&format!("/pub/{f}/"), &format!("{f}/")));
        return list(html(FOLDER_SITE, "Index of /", &(rows + &listed(folders.collect()))));
    }
    let (folder, file) = path.strip_prefix("/pub/")?.split_once('/')?;
    let folder: usize = folder.parse().ok().filter(|folder| *folder < FOLDERS)?;
    if file.is_empty() {
        rows += &item("/", "Parent Directory");
        let files =
            (0..FILES).map(|n| item(&format!("/pub/{folder}/{n}.txt"), &format!("{n}.txt")));
        rows += &listed(files.collect());
        return list(html(FOLDER_SITE, &format!("Index of /pub/{folder}"), &rows));
    }
    let file: usize = file.strip_suffix(".txt")?.parse().ok().filter(|file| *file < FILES)?;
    let which = folder * FILES + file;
    document(which, html(FOLDER_SITE, &format!("{file}.txt"), &text(FOLDER_SITE, which, 10)))
}

const STAFF_SITE: &str = "staff.kinds.test";
const PEOPLE: usize = 300;
const PER_PAGE: usize = 25;

pub(super) const STAFF: SiteKind = SiteKind {
    name: "staff",
    host: STAFF_SITE,
    what: "300 people of an institute, twenty-five a list: a name, a room and a number each, of words that others have too.",
    documents: PEOPLE,
    most_requests: 330,
    page: staff,
};

fn name(person: usize) -> String {
    let first = ["Ada", "Bo", "Cleo", "Dirk", "Ella", "Finn", "Greta", "Hugo", "Ines", "Jon"];
    let last = ["Aldous", "Berg", "Castell", "Duval", "Ekholm", "Faber", "Gallo", "Holm", "Ivers"];
    format!("{} {}", first[person % 10], last[person / 10 % 9])
}

fn staff(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    if path == "/" || path == "/people" {
        let page = number(query, "page").unwrap_or(1).checked_sub(1)?;
        let people = (page.saturating_mul(PER_PAGE)..PEOPLE).take(PER_PAGE);
        let mut rows: String = people.map(|n| item(&format!("/people/{n}"), &name(n))).collect();
        (!rows.is_empty()).then_some(())?;
        if (page + 1) * PER_PAGE < PEOPLE {
            rows += &item(&format!("/people?page={}", page + 2), "More people");
        }
        return list(html(STAFF_SITE, "People", &rows));
    }
    let person: usize = path.strip_prefix("/people/")?.parse().ok().filter(|n| *n < PEOPLE)?;
    let (room, phone) = (100 + person * 7 % 400, 4_000 + person);
    let main =
        format!("<p>Room {room}</p><p>Telephone {phone}</p>{}", item("/people", "All people"));
    document(person, html(STAFF_SITE, &name(person), &main))
}
