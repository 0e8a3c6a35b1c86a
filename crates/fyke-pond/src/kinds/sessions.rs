//! Sites whose URLs carry what is not the page: a session behind a semicolon, a language of the menus, where to go after
//! logging in; and a search whose results lead to more searches.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title, value};

const BOOK_SITE: &str = "books.kinds.test";
const BOOKS: usize = 100;
const PER_PAGE: usize = 20;

pub(super) const BOOKS_ROW: SiteKind = SiteKind {
    name: "books",
    host: BOOK_SITE,
    what: "100 books in lists of twenty; every link has a new ;jsessionid=, and every page another in two languages of the \
           menus with the same text, and a form to log in that leads back.",
    documents: BOOKS,
    most_requests: 300,
    page: books,
};

fn session(from: &str, nth: usize) -> String {
    let sum = from.bytes().fold(nth as u64 + 5, |sum, byte| {
        sum.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(u64::from(byte) + 1)
    });
    format!(";jsessionid={sum:016X}{:016X}", sum.rotate_left(21))
}

fn books(asked: &str) -> Option<KindPage> {
    let (whole, query) = split(asked);
    let path = whole.split(';').next().unwrap_or(whole);
    let link = |path: &str, query: &str, name: &str, nth: usize| {
        item(&format!("{path}{}{query}", session(asked, nth)), name)
    };
    let menus = ["en", "de"].map(|language| {
        let others = query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("lang="));
        let others: String = others.map(|pair| format!("{pair}&")).collect();
        link(path, &format!("?{others}lang={language}"), language, 90)
    });
    let login = link("/login.do", &format!("?back={}", path.replace('/', "%2F")), "Log in", 91);
    let around = menus.concat() + &login;
    match path {
        "/" | "/books.do" => {
            let page = number(query, "page").unwrap_or(1).checked_sub(1)?;
            let shown = (page.saturating_mul(PER_PAGE)..BOOKS).take(PER_PAGE);
            let row = |n: usize| link(&format!("/book/{n}.do"), "", &title(BOOK_SITE, n), n);
            let mut rows: String = shown.map(row).collect();
            (!rows.is_empty()).then_some(())?;
            if (page + 1) * PER_PAGE < BOOKS {
                rows += &link("/books.do", &format!("?page={}", page + 2), "More books", 92);
            }
            list(html(BOOK_SITE, "Books", &(rows + &around)))
        }
        "/login.do" => {
            list(html(BOOK_SITE, "Log in", "<form><p>Your name and password</p></form>"))
        }
        _ => {
            let number = path.strip_prefix("/book/")?.strip_suffix(".do")?;
            let book: usize = number.parse().ok().filter(|book| *book < BOOKS)?;
            let main = format!("<p>{}</p>{around}", text(BOOK_SITE, book, 6));
            document(book, html(BOOK_SITE, &title(BOOK_SITE, book), &main))
        }
    }
}

const SEARCH_SITE: &str = "searches.kinds.test";
const PAGES: usize = 80;
const WORDS: [&str; 12] = [
    "ledger", "parcel", "counter", "clerk", "shelf", "stamp", "corridor", "notice", "drawer",
    "envelope", "porter", "lantern",
];

pub(super) const SEARCHES: SiteKind = SiteKind {
    name: "searches",
    host: SEARCH_SITE,
    what: "80 pages with links to searches for their words, whose results offer to add a word or to take one away, without \
           end.",
    documents: PAGES,
    most_requests: 200,
    page: searches,
};

fn searches(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    if path == "/search" {
        let words: Vec<&str> = value(query, "q")?.split('+').collect();
        (words.len() < 40 && words.iter().all(|word| WORDS.contains(word))).then_some(())?;
        let has = |page: usize, word: &&str| text(SEARCH_SITE, page, 7).contains(*word);
        let found = (0..PAGES).filter(|page| words.iter().all(|word| has(*page, word)));
        let mut rows: String =
            found.take(10).map(|n| item(&format!("/text/{n}"), &title(SEARCH_SITE, n))).collect();
        for word in WORDS {
            rows += &item(&format!("/search?q={}+{word}", words.join("+")), word);
        }
        return list(html(SEARCH_SITE, &format!("Results for {}", words.join(" ")), &rows));
    }
    let page: usize = match path {
        "/" => 0,
        _ => path.strip_prefix("/text/")?.parse().ok().filter(|page| *page < PAGES)?,
    };
    let mut main = format!("<p>{}</p>", text(SEARCH_SITE, page, 7));
    for at in [page, page * 5 + 1] {
        main += &item(&format!("/search?q={}", WORDS[at % 12]), WORDS[at % 12]);
    }
    for near in [page + 1, page + 9] {
        main += &item(&format!("/text/{}", near % PAGES), &title(SEARCH_SITE, near % PAGES));
    }
    document(page, html(SEARCH_SITE, &title(SEARCH_SITE, page), &main))
}
