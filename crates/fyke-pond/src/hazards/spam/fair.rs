//! Pages that look like spam to a machine and are none: glossaries, tags, folds, poems, tables, lists of links.

use super::made::stretch;
use super::{EACH, SpamMaker, SpamSort, page};
use crate::words::topics;

/// A fair page of each number, of its title, its head and its body.
fn each(maker: &mut SpamMaker<'_>, make: fn(&mut SpamMaker<'_>, usize) -> [String; 3]) {
    for n in 0..EACH {
        let [title, head, body] = make(maker, n);
        let html = page(&title, &head, &format!("<h1>{title}</h1>{body}"));
        maker.put(format!("http://{}/", maker.host(n)), html);
    }
}

/// Words of a topic of the pond.
fn nouns(maker: &mut SpamMaker<'_>) -> &'static [&'static str] {
    let topics = topics();
    &topics[maker.dice.below(topics.len())].nouns
}

pub(super) const GLOSSARY: SpamSort = SpamSort {
    name: "glossary",
    what: "a glossary",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, _| {
            let (nouns, topic) = (nouns(maker), maker.dice.below(12));
            let of = topics()[topic].name;
            let line = |maker: &mut SpamMaker<'_>, noun: &str| {
                format!("<dt>{noun}</dt><dd>{noun} of {of}: {}</dd>", maker.prose(1))
            };
            let list: String = nouns.iter().map(|noun| line(maker, noun)).collect();
            [format!("Glossary of {of}"), String::new(), format!("<dl>{list}</dl>")]
        });
    },
};

pub(super) const TAGS: SpamSort = SpamSort {
    name: "tag-list",
    what: "a page with a list of tags",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, _| {
            let nouns = nouns(maker);
            let tag = |noun: &&str| format!("<a href=\"/tag/{noun}\">{noun}</a> ");
            let tags: String = nouns.iter().cycle().take(60).map(tag).collect();
            let head = format!(
                "<meta name=keywords content=\"{}\">",
                nouns[..nouns.len().min(8)].join(", ")
            );
            let text = maker.prose(6);
            let said = nouns[..nouns.len().min(8)].join(" and the ");
            let body = format!("<p>{text} Here is the {said}.</p><div class=tags>{tags}</div>");
            [format!("What we wrote in {}", maker.place()), head, body]
        });
    },
};

pub(super) const ACCORDION: SpamSort = SpamSort {
    name: "accordion",
    what: "a page with folds",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, n| {
            let fold = |maker: &mut SpamMaker<'_>, m: usize| {
                let text = maker.prose(4);
                match n % 3 {
                    0 => format!("<details><summary>Question {m}</summary><p>{text}</p></details>"),
                    1 => format!(
                        "<button aria-controls=f{m}>Question {m}</button><div id=f{m} hidden>{text}</div>"
                    ),
                    _ => format!(
                        "<input type=checkbox id=c{m}><label for=c{m}>Question {m}</label><div class=answer>{text}</div>"
                    ),
                }
            };
            let folds: String = (0..8).map(|m| fold(maker, m)).collect();
            let head = "<style>.answer{display:none} input:checked~.answer{display:block}</style>"
                .to_owned();
            [format!("Questions about {}", maker.place()), head, folds]
        });
    },
};

pub(super) const TABS: SpamSort = SpamSort {
    name: "tabs",
    what: "a page with tabs",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, n| {
            let tab = |maker: &mut SpamMaker<'_>, m: usize| {
                let text = maker.prose(5);
                match n % 2 {
                    0 => format!("<div role=tabpanel class=\"tab-pane\" id=t{m}>{text}</div>"),
                    _ => format!("<section class=sheet id=t{m}>{text}</section>"),
                }
            };
            let links: String = (0..5).map(|m| format!("<a href=\"#t{m}\">Tab {m}</a> ")).collect();
            let tabs: String = (0..5).map(|m| tab(maker, m)).collect();
            let head = "<style>.tab-pane,.sheet{display:none} .tab-pane.active,.sheet:target{display:block}</style>\
                        <script src=\"/tabs.js\"></script>";
            [format!("Guide to {}", maker.place()), head.to_owned(), format!("{links}{tabs}")]
        });
    },
};

pub(super) const READ_ALOUD: SpamSort = SpamSort {
    name: "read-aloud",
    what: "a page with text to be read aloud",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, n| {
            let style = "<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}\
                         .skip{position:absolute;left:-9999px}</style>";
            let aloud = |maker: &mut SpamMaker<'_>| {
                let text = maker.prose(5);
                format!(
                    "<h2>Catch <span class=sr-only>of the year, by month and place, as a chart</span></h2><p>{text}</p>"
                )
            };
            let parts: String = (0..3 + n % 3).map(|_| aloud(maker)).collect();
            let body = format!(
                "<a class=skip href=\"#main\">Skip to the content</a><div id=main>{parts}</div>"
            );
            [format!("Figures of {}", maker.place()), style.to_owned(), body]
        });
    },
};

pub(super) const LINK_LIST: SpamSort = SpamSort {
    name: "link-list",
    what: "a list of links with a word on each",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, _| {
            let link = |maker: &mut SpamMaker<'_>, m: usize| {
                let (place, text) = (maker.place(), maker.prose(1));
                format!(
                    "<li><a href=\"http://site{m}-{}.test/\">Museum of {place}</a>: {text}</li>",
                    maker.dice.below(900)
                )
            };
            let links: String = (0..25).map(|m| link(maker, m)).collect();
            [format!("Links on {}", maker.place()), String::new(), format!("<ul>{links}</ul>")]
        });
    },
};

pub(super) const PRICES: SpamSort = SpamSort {
    name: "price-table",
    what: "a table of prices",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, _| {
            let nouns = nouns(maker);
            let row = |maker: &mut SpamMaker<'_>, m: usize| {
                let (noun, price) = (nouns[m % nouns.len()], maker.dice.below(9_000));
                format!(
                    "<tr><td>{noun}</td><td>per piece</td><td>{}.{:02} euro</td><td>in stock</td></tr>",
                    price / 100,
                    price % 100
                )
            };
            let rows: String = (0..40).map(|m| row(maker, m)).collect();
            let text = maker.prose(3);
            [
                format!("Prices in {}", maker.place()),
                String::new(),
                format!("<p>{text}</p><table>{rows}</table>"),
            ]
        });
    },
};

pub(super) const POEM: SpamSort = SpamSort {
    name: "poem",
    what: "a poem with a refrain",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, _| {
            let nouns = nouns(maker);
            let (one, two) = (maker.pick(nouns), maker.pick(nouns));
            let refrain = format!(
                "O {one}, my {one}, come home to me,<br>the {two} is calling over the sea,<br>"
            );
            let verse = |maker: &mut SpamMaker<'_>| {
                let text = maker.prose(3).replace(". ", ",<br>");
                format!("<p>{text}</p><p>{refrain}and the night is long.</p>")
            };
            let verses: String = (0..6).map(|_| verse(maker)).collect();
            [format!("Song of the {one}"), String::new(), verses]
        });
    },
};

pub(super) const BLOG: SpamSort = SpamSort {
    name: "blog",
    what: "a blog on which strangers left links",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, _| {
            let text = maker.prose(14);
            let comment = |maker: &mut SpamMaker<'_>| {
                format!(
                    "<li class=comment><p>{} <a rel=nofollow href=\"http://me{}.test/\">me</a></p></li>",
                    maker.prose(1),
                    maker.dice.below(9_000)
                )
            };
            let comments: String = (0..10).map(|_| comment(maker)).collect();
            let body =
                format!("<article><p>{text}</p></article><ol class=commentlist>{comments}</ol>");
            [format!("Walks around {}", maker.place()), String::new(), body]
        });
    },
};

pub(super) const FRIENDS: SpamSort = SpamSort {
    name: "friends",
    what: "two sites that link to each other and to others",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, n| {
            let (text, friend) = (maker.prose(12), maker.host(n ^ 1));
            let (one, two) = (maker.dice.below(900), maker.dice.below(900));
            let body = format!(
                "<p>{text} See also <a href=\"http://{friend}/\">our neighbours</a>, <a href=\"http://town{one}.test/\">the town</a> \
                 and <a href=\"http://river{two}.test/\">the river</a>.</p>"
            );
            [format!("Society of {}", maker.place()), String::new(), body]
        });
    },
};

pub(super) const QUOTING: SpamSort = SpamSort {
    name: "quoting",
    what: "a page that quotes another and speaks of it",
    is_spam: false,
    make: |maker| {
        each(maker, |maker, _| {
            let (quote, text) = (
                stretch(maker, 3),
                super::prose::text(
                    maker.pond,
                    &format!("quoting {}", maker.dice.below(1 << 20)),
                    14,
                ),
            );
            let body =
                format!("<p>{text}</p><blockquote>{quote}</blockquote><p>So far the page.</p>");
            [format!("On a page about {}", maker.aim()), String::new(), body]
        });
    },
};
