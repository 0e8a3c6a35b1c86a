//! What pages made by well-known programs keep of their main text: manuals, forums, shops.

use crate::capture;
use fyke_formats::parse;
use fyke_web::{Document, refine};

fn found(html: &str) -> Document {
    let capture = capture("http://a.test/x", "Content-Type: text/html", html.as_bytes());
    refine(&capture, &parse(&capture))
}

#[track_caller]
fn check(html: &str, holds: &[&str], lacks: &[&str]) {
    let text = found(html).text;
    for part in holds {
        assert!(text.contains(part), "{part:?} is not in {text:?}");
    }
    for part in lacks {
        assert!(!text.contains(part), "{part:?} is in {text:?}");
    }
}

/// A manual as Sphinx writes it with the theme of Read the Docs, whose content stands in elements named after
/// navigation.
#[test]
fn every_definition_of_a_manual_is_kept_with_its_anchor() {
    let method = |n: usize| {
        format!(
            "<dl class='py method'><dt class='sig sig-object py' id='nets.Net.m{n}'><span class=pre>m{n}</span>(<em>eel</em>)\
             <a class=reference href=/s><span class=viewcode-link>[source]</span></a>\
             <a class=headerlink href='#nets.Net.m{n}'>¶</a></dt><dd><p>Ties knot {n}.</p></dd></dl>"
        )
    };
    let methods: String = (1..=40).map(method).collect();
    let page = format!(
        "<title>Nets &#8212; Nets 3.2 documentation</title><body class=wy-body-for-nav><nav class=wy-nav-side><ul>\
         <li><a href=/1>Install</a><li><a href=/2>Usage</a></ul></nav><section class=wy-nav-content-wrap>\
         <div class=wy-nav-content><div role=main class=document><div itemprop=articleBody>\
         <section id=nets><h1>Nets<a class=headerlink href='#nets'>¶</a></h1><p>Makes nets of any size.</p>\
         <div class='highlight-python notranslate'><div class=highlight><pre><span class=linenos>1</span>net = Net()\n\
         <span class=linenos>2</span>    net.m1(eel)\n</pre></div></div>{methods}</section></div></div></div></section>"
    );
    let document = found(&page);
    assert_eq!(document.title, "Nets");
    for n in 1..=40 {
        assert!(
            document.text.contains(&format!("\nm{n}(eel)\nTies knot {n}.")),
            "{}",
            document.text
        );
    }
    assert!(document.text.contains("\nnet = Net()\n    net.m1(eel)\n"), "{}", document.text);
    assert!(!document.text.contains('¶') && !document.text.contains("Install"));
    let sections = document.sections();
    assert_eq!((sections[0].heading, sections[0].anchor, sections[0].level), ("Nets", "nets", 1));
    assert_eq!(
        (sections[1].heading, sections[1].anchor, sections[1].level),
        ("m1(eel)", "nets.Net.m1", 7)
    );
    assert_eq!(document.text[sections[1].start..].lines().next(), Some("m1(eel)"));
}

/// A thread as Discourse sends it to browsers without scripts.
#[test]
fn a_thread_that_stands_in_noscript_is_read() {
    let post = |name: &str, text: &str| {
        format!(
            "<div itemprop=comment class='topic-body crawler-post'><div class=crawler-post-meta><span class=creator>\
             <a href=/u/{name}><span>{name}</span></a></span> <time class=post-time>May 3, 2024, 8:45am</time></div>\
             <div class=post itemprop=text><p>{text}</p></div></div>"
        )
    };
    let posts = [
        post(
            "ana",
            "Has anybody seen an eel here of late, in the lower river below the old mill and the weir?",
        ),
        post(
            "bor",
            "I saw two of them by the mill, on the first of May, when the water was warm enough for them.",
        ),
        post(
            "cene",
            "They come every spring when the water is warm enough, as my father said when we were small.",
        ),
    ];
    check(
        &format!(
            "<body><discourse-assets></discourse-assets><noscript><header><a href=/>River Forum</a></header>\
             <div id=main-outlet class=wrap role=main><h1>Eels in spring</h1>{}</div></noscript><p>Loading</p>",
            posts.concat()
        ),
        &["ana May 3, 2024", "below the old mill", "on the first of May", "as my father said"],
        &["River Forum"],
    );
}

/// Code beside the text (an aside, a tab that is not open, a column of its own) is part of a manual; the code of a
/// comment is not.
#[test]
fn code_of_several_lines_is_kept_wherever_it_stands() {
    let text = "<p>A net is tied knot by knot, from the middle to the rim, and every knot holds the one before it in its place.</p>";
    let code = |name: &str| format!("<pre>tie({name})\n    pull({name})</pre>");
    check(
        &format!(
            "<body><nav><pre>menu\nmenu</pre></nav><main><h1>Nets</h1>{}<aside class=topic>{}</aside><div class=tab style='display:none'>{}</div>\
             {}</main><div class=examples>{}</div><div id=comments><p>I like it.</p>{}</div>",
            text.repeat(5),
            code("aside"),
            code("tab"),
            code("main").repeat(3),
            code("column"),
            code("comment"),
        ),
        &[
            "\ntie(aside)\n    pull(aside)\n",
            "tie(tab)\n    pull(tab)",
            "tie(main)\n",
            "tie(column)\n    pull",
        ],
        &["menu", "comment"],
    );
}

/// What is small beside a long page that is no article is no answer.
#[test]
fn a_consent_dialog_is_not_the_text_of_a_page() {
    let item = |n: usize| {
        format!("<div class=card><h3>Net number {n}</h3><p>Of nylon, {n} hoops</p></div>")
    };
    let items: String = (1..=30).map(item).collect();
    check(
        &format!(
            "<body><div class=consent><p>We use cookies to make this site work, to remember what you like and to count \
             visits. By clicking accept you agree that we and our partners store cookies on your device.</p></div>\
             <div class=grid>{items}</div>"
        ),
        &["Net number 1\n", "30 hoops"],
        &["cookies"],
    );
}

#[test]
fn readings_and_soft_hyphens_are_no_part_of_words() {
    let text = found("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</ruby>とうな&shy;ぎの川の話を、ここに長く書いておきます。</p>").text;
    assert_eq!(text, "漢字とうなぎの川の話を、ここに長く書いておきます。");
}
