//! Tricks in the text that everybody sees: keyword stuffing, misleading meta words and anchor texts.

use super::{EACH, SpamMaker, SpamSort, page, text_page};

pub(super) const STUFFING: SpamSort = SpamSort {
    name: "keyword-stuffing",
    what: "says the words of a query again and again",
    is_spam: true,
    make: |maker| {
        for n in 0..EACH {
            let aim = maker.aim();
            let text = match n % 4 {
                0 => format!("{aim} ").repeat(60 + maker.dice.below(340)),
                1 => maker.stuffing(200),
                2 => woven(maker, aim),
                _ => format!("{} {}", maker.prose(6), format!("{aim}, ").repeat(80)),
            };
            let title = match n % 3 {
                0 => format!("{aim} {aim} {aim}"),
                1 => format!("{aim} {} {aim} online {aim}", maker.praise()),
                _ => format!("Welcome to {}", maker.place()),
            };
            maker.put(format!("http://{}/{n}", maker.host(n)), text_page(&title, "", &text));
        }
    },
};

/// Sentences with the query in every one of them, several times.
fn woven(maker: &mut SpamMaker<'_>, aim: &str) -> String {
    let sentence = |maker: &mut SpamMaker<'_>| {
        let (praise, good) = (maker.praise(), maker.good());
        format!("For {praise} {aim} and {aim} {good} our {aim} is the {aim} you want: {aim}. ")
    };
    (0..14).map(|_| sentence(maker)).collect()
}

pub(super) const META: SpamSort = SpamSort {
    name: "misleading-meta",
    what: "names keywords that its text does not have",
    is_spam: true,
    make: |maker| {
        for n in 0..EACH {
            let mut words: Vec<String> = Vec::new();
            for _ in 0..12 + maker.dice.below(30) {
                words.push(match maker.dice.below(3) {
                    0 => maker.aim().to_owned(),
                    1 => format!("{} {}", maker.praise(), maker.good()),
                    _ => maker.good().to_owned(),
                });
            }
            let head = format!("<meta name=\"keywords\" content=\"{}\">", words.join(", "));
            let text = maker.prose(9);
            let title = format!("The page of {}", maker.place());
            maker.put(format!("http://{}/", maker.host(n)), text_page(&title, &head, &text));
        }
    },
};

pub(super) const ANCHORS: SpamSort = SpamSort {
    name: "misleading-anchors",
    what: "calls pages of one domain by the words of a query, many times",
    is_spam: true,
    make: |maker| {
        let target = maker.host(999);
        for n in 0..EACH {
            let aim = maker.aim();
            let count = 10 + maker.dice.below(20);
            let link =
                |m: usize| format!("<li><a href=\"http://{target}/{}\">{aim}</a></li>", m % 8);
            let list: String = (0..count).map(link).collect();
            let text = maker.prose(5);
            let title = format!("Links from {}", maker.place());
            let html = page(&title, "", &format!("<h1>{title}</h1><p>{text}</p><ul>{list}</ul>"));
            maker.put(format!("http://{}/", maker.host(n)), html);
        }
        for m in 0..8 {
            let (text, title) =
                (maker.stuffing(120), format!("{} {}", maker.praise(), maker.good()));
            maker.put(format!("http://{target}/{m}"), text_page(&title, "", &text));
        }
    },
};
