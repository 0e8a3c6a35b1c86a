//! A catalogue of records behind a search form (003 §3.2.5: what a database gives for a query, no link leads to). The form
//! wants a word and takes a shelf; it shows twenty records a page and five pages at the most, as such catalogues do. Beside it
//! stand forms that destroy, write or ask for a password, some of them by GET.

use super::{harmful, page};
use crate::words::{PondDice, SUBS, hash, mix, topics};
use crate::{Answer, AnswerKind, Ask, Pond};

/// Records of the catalogue.
pub const RECORDS: usize = 400;
/// Records on a page of results, and pages of one query.
const PER_PAGE: usize = 20;
const MOST_PAGES: usize = 5;
/// Nouns of its topic that a record speaks of.
const NOUNS: usize = 5;
const SHELVES: [&str; 5] = ["maps", "letters", "ledgers", "drawings", "photographs"];

/// One record.
struct Record {
    title: String,
    shelf: &'static str,
    year: usize,
    text: String,
}

/// Where a record is, by number from 0 on.
#[must_use]
pub fn record_path(number: usize) -> String {
    format!("/record/{}", 1000 + number)
}

fn record(pond: &Pond, number: usize) -> Record {
    let mut dice = PondDice::new(mix(hash(pond.seed, "catalogue"), number as u64));
    let topic = &topics()[dice.below(topics().len())];
    let sub = &topic.subs[dice.below(SUBS)];
    let nouns: Vec<&str> = (0..NOUNS).map(|_| dice.word(&topic.nouns)).collect();
    let (shelf, year) = (SHELVES[dice.below(SHELVES.len())], 1880 + dice.below(120));
    let kind = shelf.trim_end_matches('s');
    let title = format!("{} {}, {kind} of {year}", dice.word(&topic.adjectives), nouns[0]);
    let term = dice.word(&sub.terms);
    let text = format!(
        "A {kind} about the {} and the {} of a collector, kept since {year}. It shows the {} beside \
         the {}, with notes on {term} and on {}, and a list of names in another hand. {}",
        nouns[1],
        nouns[2],
        nouns[3],
        nouns[4],
        topic.name,
        crate::hazards::prose::text(pond, &format!("record {number}"), 3)
    );
    Record { title, shelf, year, text }
}

pub(super) fn answer(pond: &Pond, ask: &Ask) -> Answer {
    let (path, query) = ask.path.split_once('?').unwrap_or((ask.path, ""));
    match path {
        _ if ask.method == "POST" => harmful("nothing is posted here"),
        "/" => home(pond),
        "/delete" | "/comment" | "/enter" | "/unsubscribe" | "/basket" => {
            harmful("this form is for people")
        }
        "/search" => results(pond, query),
        _ => {
            let number = path.strip_prefix("/record/").and_then(|n| n.parse::<usize>().ok());
            let number = number.and_then(|n| n.checked_sub(1000)).filter(|n| *n < RECORDS);
            number.map_or_else(Answer::missing, |number| shown(pond, number))
        }
    }
}

const FORMS: &str = "\
<form action=\"/search\"><input name=\"q\" type=\"search\"><select name=\"shelf\"><option value=\"\">any shelf</option>\
<option>maps</option><option>letters</option><option>ledgers</option><option>drawings</option>\
<option>photographs</option></select><button>Find</button></form>\
<form action=\"/delete\" id=\"delete-record\"><input name=\"id\"><button>Delete record</button></form>\
<form action=\"/comment\"><input name=\"title\"><textarea name=\"comment\"></textarea><button>Send</button></form>\
<form action=\"/enter\"><input name=\"name\"><input type=\"password\" name=\"word\"><button>Enter</button></form>\
<form action=\"/unsubscribe\"><input name=\"q\"><button>Unsubscribe</button></form>\
<form action=\"/basket\"><input name=\"item\"><button>Add to basket</button></form>\
<form action=\"/order\" method=\"post\"><input name=\"q\"><button>Order a copy</button></form>";

fn home(pond: &Pond) -> Answer {
    // A catalogue tells of some of its treasures.
    let some: Vec<String> = [3, 141, 271].map(|number| record(pond, number).title).to_vec();
    let main = format!(
        "<p>The catalogue of the archive holds {RECORDS} records: maps, letters, ledgers, drawings and \
         photographs. Among them are {}. Type a word to find what is kept about it; a shelf makes \
         the list shorter, and nothing of it is found by following links.</p>{FORMS}",
        some.join("; ")
    );
    page(AnswerKind::Page, "The archive's catalogue", &main)
}

/// The value of a field of a query.
fn field(query: &str, name: &str) -> String {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let found = pairs.filter(|(known, _)| *known == name).map(|(_, value)| value).next();
    let value = found.unwrap_or_default().replace('+', " ").replace("%20", " ");
    value.trim().to_lowercase()
}

fn results(pond: &Pond, query: &str) -> Answer {
    let (word, shelf) = (field(query, "q"), field(query, "shelf"));
    if word.is_empty() {
        return page(AnswerKind::Page, "Results", "<p>Please type a word to look for.</p>");
    }
    let number: usize = field(query, "page").parse().unwrap_or(1);
    let is_found = |record: &Record| {
        let all = format!("{} {} {}", record.title, record.text, record.shelf).to_lowercase();
        let mut words = all.split(|c: char| !c.is_alphanumeric());
        (shelf.is_empty() || record.shelf == shelf) && words.any(|known| known == word)
    };
    let found: Vec<(usize, Record)> = (0..RECORDS)
        .map(|number| (number, record(pond, number)))
        .filter(|(_, record)| is_found(record))
        .collect();
    let from = (number.max(1) - 1) * PER_PAGE;
    let here = found.iter().skip(from).take(PER_PAGE);
    let item = |(number, record): &(usize, Record)| {
        format!(
            "<li><a href=\"{}\">{}</a> ({})</li>",
            record_path(*number),
            record.title,
            record.year
        )
    };
    let list: String = here.map(item).collect();
    let has_more = number < MOST_PAGES && found.len() > from + PER_PAGE;
    let next = match has_more {
        true => {
            let next = number + 1;
            format!(
                "<a rel=\"next\" href=\"/search?q={word}&amp;shelf={shelf}&amp;page={next}\">Next</a>"
            )
        }
        false => String::new(),
    };
    let main = match list.is_empty() {
        true => "<p>Nothing was found.</p>".to_owned(),
        false => format!("<p>{} records</p><ul>{list}</ul>{next}", found.len()),
    };
    page(AnswerKind::Page, &format!("Results for {word}"), &main)
}

fn shown(pond: &Pond, number: usize) -> Answer {
    let Record { title, text, .. } = record(pond, number);
    page(AnswerKind::Page, &title, &format!("<p>{text}</p>"))
}
