//! What a page is for, and that more than articles are read well: threads, goods, documentation,
//! lists. The pages are made here, after the habits of the web.

use crate::capture;
use fyke_formats::parse;
use fyke_web::document::{Content, content};
use fyke_web::{Genre, REFINERS};

const MENU: &str = "<header><nav><ul><li><a href=/>Home</a><li><a href=/a>Rivers</a>\
    <li><a href=/b>Lakes</a><li><a href=/c>Shop</a></ul></nav></header>";
const FOOT: &str = "<footer><p>Copyright of the club. All rights reserved.</p>\
    <a href=/i>Imprint</a> <a href=/p>Privacy</a></footer>";
const EEL: &str = "The eel leaves the sea as a thin glass needle and goes up the river by night.";
const REED: &str = "Reeds grow along the bank, and in their shade the small fish wait for evening.";

fn found(body: &str) -> Content {
    let html = format!("<!DOCTYPE html><html lang=en><body>{MENU}{body}{FOOT}</body></html>");
    let capture = capture("http://a.test/x", "Content-Type: text/html", html.as_bytes());
    content(&capture, &parse(&capture), &REFINERS[0])
}

/// The page is of this type, and its text holds these and none of those.
fn check(body: &str, genre: Genre, holds: &[&str], lacks: &[&str]) {
    let found = found(body);
    assert_eq!(found.genre, genre, "{body}");
    for part in holds {
        assert!(found.text.contains(part), "{part:?} is not in {:?}", found.text);
    }
    for part in lacks.iter().chain(&["Imprint", "Lakes", "Copyright"]) {
        assert!(!found.text.contains(part), "{part:?} is in {:?}", found.text);
    }
}

#[test]
fn a_thread_is_all_its_contributions() {
    let post = |name: &str, text: &str| {
        format!(
            "<div class='post'><div class=postauthor><a href=/u/{name}>{name}</a></div>\
             <div class=postbody><p>{text}</p></div></div>"
        )
    };
    let posts = [
        post("ana", &format!("{EEL} Has anybody seen one here of late, in the lower river?")),
        post("bor", &format!("{REED} I saw two of them by the mill, on the first of May.")),
        post("cene", "They come every spring when the water is warm enough, as my father said."),
        post("dora", "Not in our part of the river, where the weir is too high for them to pass."),
    ];
    check(
        &format!("<main><h1>Eels in spring</h1>{}</main>", posts.concat()),
        Genre::Forum,
        &["seen one here of late", "by the mill", "as my father said", "weir is too high"],
        &[],
    );
}

#[test]
fn goods_keep_their_description_and_properties() {
    check(
        "<script type='application/ld+json'>{\"@type\":\"Product\",\"name\":\"Fyke net\"}</script>\
         <main class=product><h1>Fyke net</h1><div class=price>49.90 €</div>\
         <div class=description><p>A net of three hoops with two wings, knotted by hand from \
         strong nylon, for eels and crayfish in slow rivers.</p></div>\
         <table class=specs><tr><th>Length</th><td>250 cm with its wings</td></tr>\
         <tr><th>Mesh</th><td>17 mm from knot to knot</td></tr></table></main>\
         <aside class=related><a href=/n>Other nets you may like</a></aside>",
        Genre::Product,
        &["three hoops with two wings", "17 mm from knot to knot"],
        &["Other nets"],
    );
}

#[test]
fn documentation_keeps_code_lists_and_headings() {
    check(
        "<aside class=sidebar><ul><li><a href=/1>Install</a><li><a href=/2>Usage</a></ul></aside>\
         <main class=documentation><h1>fyke</h1><p>Sets out a net and waits for what comes by, \
         until it is told to stop or the net is full.</p><h2>Usage</h2>\
         <pre>fyke set --wings 2 --hoops 3</pre><p>The options are these:</p>\
         <ul><li><code>--wings N</code>: how many wings it has</ul>\
         <h2>Examples</h2><pre>fyke lift --all</pre><pre>fyke mend</pre></main>",
        Genre::Documentation,
        &["until it is told to stop", "fyke set --wings 2", "--wings N", "fyke lift --all"],
        &["Install"],
    );
}

#[test]
fn a_list_of_links_is_its_entries() {
    let entry =
        |n: usize| format!("<li><a href=/{n}>Report number {n} of the river watch</a></li>");
    let entries: String = (1..=20).map(entry).collect();
    check(
        &format!("<main><h1>Reports</h1><ul class=entries>{entries}</ul></main>"),
        Genre::Listing,
        &["Report number 1 of", "Report number 20 of"],
        &[],
    );
}

#[test]
fn comments_are_kept_apart_from_an_article() {
    let page = format!(
        "<main><article><h1>Of eels</h1><p>{EEL}</p><p>{REED}</p><p>{EEL}</p><p>{REED}</p></article>\
         <section id=comments><div class=comment><p>I saw one last summer near the old mill and it \
         was as long as my arm.</p></div></section></main>"
    );
    check(&page, Genre::Article, &[EEL, REED], &["old mill"]);
    assert!(found(&page).comments.contains("as long as my arm"));
}

/// How often a part stands in the text found.
fn times(body: &str, part: &str) -> usize {
    found(body).text.matches(part).count()
}

#[test]
fn what_a_contribution_quotes_stands_in_the_text_once_with_who_wrote_it_and_when() {
    let post = |name: &str, hour: u32, text: &str| {
        format!(
            "<div class=post><p class=author><a href=/u/{name}>{name}</a> <time>1 March 2024 {hour}:00</time></p>\
             <div class=content>{text}</div></div>"
        )
    };
    let quote = |text: &str| format!("<blockquote><p>{text}</p></blockquote>");
    let answer =
        "Set them so that the mouth opens downstream, for eels go up along the bank by night.";
    let body = [
        post("ana", 10, &format!("<p>{EEL}</p>")),
        post("bor", 11, &format!("{}<p>{answer}</p>", quote(EEL))),
        post("cene", 12, &format!("{}<p>{REED}</p>", quote(answer))),
        // A quotation of what is not on the page stays.
        post(
            "dora",
            13,
            &quote(
                "The river was lower in every spring that my grandfather wrote down in his book.",
            ),
        ),
    ]
    .concat();
    for part in [EEL, answer, REED, "my grandfather", "ana", "bor", "cene", "dora", "2024 13:00"] {
        assert_eq!(times(&body, part), 1, "{part}");
    }
}

#[test]
fn a_sentence_that_stands_twice_for_two_screens_is_content_once() {
    let twice = format!(
        "<main class=product><h1>Fyke net</h1><div class=desktop><p>{EEL}</p></div><div class=facts>\
         <p>{REED}</p></div><section class=mobile><p>{EEL}</p></section></main>"
    );
    assert_eq!(times(&twice, EEL), 1);
    assert_eq!(times(&twice, REED), 1);
    // The refrain of a song, paragraphs of one sort: said twice by the author.
    let song = format!("<article><h1>Eels</h1><p>{EEL}</p><p>{REED}</p><p>{EEL}</p></article>");
    assert_eq!(times(&song, EEL), 2);
}

#[test]
fn ingredients_and_steps_of_a_recipe_are_kept() {
    let body = format!(
        "<article><h1>Smoked eel on toast</h1><p>{EEL} {REED}</p><div class=recipe-ingredients><h2>Ingredients</h2>\
         <ul><li>200 g smoked eel<li>4 slices rye bread<li>salt</ul></div><div class=recipe-steps><h2>Method</h2>\
         <ol><li>Toast the bread.<li>Put the eel on the toast.</ol></div></article>\
         <aside class=related><h3>More recipes</h3><a href=/1>Pike cakes</a> <a href=/2>Carp soup</a></aside>"
    );
    let parts =
        ["200 g smoked eel", "4 slices rye bread", "salt", "Toast the bread.", "on the toast."];
    check(&body, Genre::Article, &parts, &["Pike cakes", "Carp soup"]);
}
