//! Pages as data: what a reader sees of each.

use super::*;
use crate::refine::blocks;

/// Twelve words that stuff a page, and honest ones.
const STUFF: &str = "cheap maui resort hotel maui cheap hotel resort maui cheap resort hotel";

/// That nothing of the stuffing is left of a page, and that this hides it.
#[track_caller]
fn hides(veil: Veil, html: &str) {
    let html = html.replace("STUFF", STUFF);
    let page = format!("{html}<p>Honest words of the page.</p>");
    let found = unseen(&page);
    assert_eq!(found.hidden[veil as usize], 12, "{found:?} {page}");
    assert_eq!((found.words(), found.folded), (12, 0), "{page}");
    assert!(!blocks(&page).text.contains("maui"), "{page}");
    assert!(blocks(&page).text.contains("Honest words"), "{page}");
}

/// That all of it stays.
#[track_caller]
fn keeps(html: &str) {
    let page = html.replace("STUFF", STUFF);
    let found = unseen(&page);
    assert_eq!(found.words(), 0, "{found:?} {page}");
    assert!(blocks(&page).text.contains("maui"), "{page}");
}

#[test]
fn text_in_the_colour_of_its_ground_is_hidden() {
    let hides = |html: &str| hides(Veil::Colour, html);
    hides("<body bgcolor=white><p><font color=#ffffff>STUFF</font>");
    hides("<body bgcolor=000000 text=lime><font color=black>STUFF</font>");
    hides("<div style='color:#fff'>STUFF</div>");
    hides("<div style='color:#333;background:#333'><span>STUFF</span></div>");
    hides("<style>.x{color:white}</style><div class=x>STUFF</div>");
    hides(
        "<style>body{background:#eee} #a p{color:rgb(238,238,238)}</style><div id=a><p>STUFF</p></div>",
    );
    hides(
        "<style>.x{color:red} .x{color:white !important}</style><div class=x style='color:blue'>STUFF</div>",
    );
    hides("<p style='color:transparent'>STUFF</p>");
    hides("<link rel=stylesheet href=a.css><p style='color:#fff;background:#fff'>STUFF</p>");
}

#[test]
fn text_that_only_seems_to_have_the_colour_of_its_ground_stays() {
    keeps("<div style='background:#000'><p style='color:#fff'>STUFF</p></div>");
    keeps("<div style='background:url(sea.jpg)'><p style='color:#fff'>STUFF</p></div>");
    keeps(
        "<div style='background:linear-gradient(red,blue)'><p style='color:#fff'>STUFF</p></div>",
    );
    // Another sheet may give it a ground.
    keeps("<link rel=stylesheet href=a.css><div class=hero><p style='color:#fff'>STUFF</p></div>");
    // It stands over a picture.
    keeps("<img src=a.jpg><p style='position:absolute;top:9px;color:#fff'>STUFF</p>");
    keeps("<style>.s{background:#000;color:#000} .s:hover{color:#fff}</style><p class=s>STUFF</p>");
    keeps("<style>:root{--c:#fff}</style><p style='color:var(--c)'>STUFF</p>");
    keeps("<style>@media print{p{color:#fff}}</style><p>STUFF</p>");
    keeps("<style>p{color:#fff;text-shadow:0 0 3px #000}</style><p>STUFF</p>");
    keeps("<table bgcolor=#003366><tr><td><font color=white>STUFF</font></table>");
    keeps("<style>td{color:#fff}</style><table><tr><td bgcolor=navy>STUFF</table>");
    keeps("<p style='background:gold;background:-x-gradient(a);color:gold'>STUFF</p>");
}

#[test]
fn text_of_no_size_off_the_screen_or_behind_something_is_hidden() {
    hides(Veil::Tiny, "<p style='font-size:0'>STUFF</p>");
    hides(Veil::Tiny, "<style>.t{font-size:1px}</style><div class=t><b>STUFF</b></div>");
    hides(Veil::Tiny, "<div style='font-size:0'><p style='font-size:2em'>STUFF</p></div>");
    hides(
        Veil::Behind,
        "<div style='background:#fff'><p style='position:absolute;z-index:-1'>STUFF</p></div>",
    );
    hides(
        Veil::Behind,
        "<style>.c{position:absolute;width:100%;height:100%;background:#fff}</style>\
         <p style='position:relative;z-index:-9'>STUFF</p><div class=c></div>",
    );
    let long = STUFF.to_owned() + " " + &STUFF.repeat(5);
    let far = format!("<div style='position:absolute;left:-9999px'>{long}</div><p>Honest</p>");
    assert!(unseen(&far).hidden[Veil::OffScreen as usize] > 50);
    let cut = format!("<div style='text-indent:-9000px'>{long}</div>");
    assert!(unseen(&cut).hidden[Veil::OffScreen as usize] > 50);
    let clip = format!(
        "<style>.v{{position:absolute;clip:rect(0 0 0 0)}}</style><div class=v>{long}</div>"
    );
    assert!(unseen(&clip).hidden[Veil::Clipped as usize] > 50);
}

#[test]
fn gaps_between_inline_blocks_and_small_print_stay() {
    keeps("<ul style='font-size:0'><li style='font-size:16px'>STUFF</ul>");
    keeps("<link rel=stylesheet href=a.css><ul style='font-size:0'><li class=i>STUFF</ul>");
    keeps("<p style='font-size:70%'>STUFF</p>");
    keeps("<div style='background:#fff'><p style='z-index:-1'>STUFF</p></div>");
    keeps("<p style='position:relative;z-index:-1'>STUFF</p>");
    keeps("<p style='position:absolute;left:-40px'>STUFF</p>");
}

#[test]
fn what_nothing_on_the_page_can_show_is_hidden() {
    hides(Veil::NotShown, "<div style='display:none'>STUFF</div>");
    hides(Veil::NotShown, "<div hidden><p>STUFF</p></div>");
    hides(Veil::NotShown, "<style>.seo{display:none}</style><div class=seo>STUFF</div>");
    hides(
        Veil::NotShown,
        "<script type=application/ld+json>{}</script><p style='display:none'>STUFF</p>",
    );
    hides(Veil::NotShown, "<script>track('a')</script><p style='display:none'>STUFF</p>");
    hides(Veil::Invisible, "<p style='visibility:hidden'>STUFF</p>");
    hides(Veil::Transparent, "<p style='opacity:0'>STUFF</p>");
    hides(Veil::Folded, "<div style='height:0;overflow:hidden'>STUFF</div>");
}

#[test]
fn accordions_stay() {
    keeps("<details><summary>More</summary><p>STUFF</p></details>");
    keeps("<style>.accordion-body{display:none}</style><div class=accordion-body>STUFF</div>");
    keeps(
        "<input type=checkbox id=c><label for=c>More</label><style>.p{display:none} #c:checked~.p{display:block}</style><div class=p>STUFF</div>",
    );
    keeps("<button aria-controls=more>More</button><div id=more hidden>STUFF</div>");
    keeps(
        "<style>.m{max-height:0;overflow:hidden} .m.open{max-height:900px}</style><div class=m>STUFF</div>",
    );
}

#[test]
fn tabs_and_menus_stay() {
    keeps("<div role=tabpanel hidden>STUFF</div>");
    keeps("<style>.t{display:none} .t.active{display:block}</style><div class=t>STUFF</div>");
    keeps(
        "<style>.t{display:none} .t:target{display:block}</style><div class=t id=two>STUFF</div>",
    );
    keeps(
        "<style>li ul{display:none} li:hover ul{display:block}</style><ul><li>Eels<ul><li>STUFF</ul></ul>",
    );
    keeps(
        "<style>li ul{position:absolute;left:-999em} li:hover ul{left:auto}</style><ul><li>Eels<ul><li>STUFF</ul></ul>",
    );
    keeps("<nav><div style='visibility:hidden'>STUFF</div></nav>");
}

#[test]
fn what_is_read_aloud_stays() {
    let swatch = "<a style='text-indent:-9999px;background:red'>maui blue</a> ";
    keeps(&format!("{}<p>the page</p>", swatch.repeat(200)));
    keeps(
        "<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style><span class=sr-only>STUFF</span><p>the page</p>",
    );
    keeps("<a href=#main style='position:absolute;left:-9999px'>STUFF</a><p>the page</p>");
    keeps("<h1 style='text-indent:-9999px'>STUFF</h1><p>the page</p>");
    let long =
        format!("<p class=visually-hidden style='clip:rect(0 0 0 0)'>{}</p>", "STUFF ".repeat(6));
    keeps(&(long + "<p>The chart shows the catch.</p>"));
}

#[test]
fn what_a_script_shows_stays() {
    keeps(
        "<div id=later style='display:none'>STUFF</div><script>document.getElementById('later')</script>",
    );
    keeps("<div style='display:none'>STUFF</div><script src=app.js></script>");
    keeps("<div style='opacity:0'>STUFF</div><script>$(function(){})</script>");
    keeps("<div style='display:none'>STUFF</div><a onclick=\"x.style.display=''\">more</a>");
    keeps("<style>body{opacity:0;animation:come 1s}</style><body><p>STUFF</p></body>");
    keeps("<div hidden=until-found>STUFF</div>");
    keeps("<noscript><style>.l{display:none}</style></noscript><p class=l>STUFF</p>");
}

#[test]
fn a_page_that_is_all_hidden_has_no_text_and_is_explained() {
    let page = format!("<body style='display:none'><p>{STUFF}</p></body>");
    let found = unseen(&page);
    assert_eq!((found.share(), found.most()), (1.0, Some("not shown")));
    assert_eq!(blocks(&page).text, "");
}

#[test]
fn much_markup_is_read_within_limits() {
    let deep = "<div class='a b c'>".repeat(50_000) + STUFF;
    let rules: String = (0..10_000).map(|n| format!(".a .b .c .d{n} .a{{color:red}}")).collect();
    let page = format!("<style>{rules}</style>{deep}");
    assert!(unseen(&page).is_cut);
    // Ten megabytes of one sheet.
    let page = format!(
        "<style>{}</style><p style='display:none'>{STUFF}",
        "p{color:red}\n".repeat(800_000)
    );
    assert!(unseen(&page).is_cut);
    for odd in
        ["<style>", "<p style", "<p style=>", "<p style='é:è;color:#é'>x", "<p hidden", "</p></p>"]
    {
        let _ = unseen(odd);
    }
}

/// Sheets of today's pages: in them hiding cannot be told from laying out.
#[test]
fn a_sheet_with_more_in_it_than_is_understood_hides_nothing() {
    for sheet in [
        ":root{color:#222;background:#fff} footer{background:#222;color:#fff}",
        "body{font:16px x; .skip{top:0; position:absolute; left:-9999px;}}",
        ":is(h1, p, h3) .anchor{display:none}",
        ".hidden{display:none} @media(min-width:9em){.md\\:block{display:block}}",
        "main > p{display:none} main > p.on{display:block}",
        ".hero::before{background:#000;position:absolute} p{color:#fff}",
        "p{color:transparent;-webkit-text-stroke:1px #000}",
        "@layer a{p{display:none}}",
    ] {
        keeps(&format!("<style>{sheet}</style><main><p class='hidden md:block'>STUFF</p></main>"));
    }
    keeps("<style>.m{/* float:left; display:none; */ width:60%}</style><p class=m>STUFF</p>");
    keeps("<LINK REL=\"STYLESHEET\" HREF=x.css><TD CLASS=top><FONT COLOR=white>STUFF</FONT>");
    keeps("<link rel=stylesheet href=a.css><td><font color=white>STUFF</font>");
    keeps("<style>body{opacity:0}</style><link rel=stylesheet href=a.css><body><p>STUFF</p>");
    keeps("<link rel=stylesheet href=a.css><div class=late style='display:none'>STUFF</div>");
}

#[test]
fn boxes_that_are_laid_out_by_far_lengths_stay() {
    let long = format!("{STUFF} ").repeat(6);
    for style in [
        "margin:0 -9999rem;padding:.25rem 9999rem",
        "margin:0 0 -9999px;padding:0 0 9999px",
        "height:0;padding-bottom:56%;overflow:hidden",
        "width:100%;max-width:0;overflow:hidden",
    ] {
        keeps(&format!("<div style='{style}'>{long}</div>"));
    }
    keeps(
        "<img src=sea.jpg style='position:absolute;top:0'><h2 style='position:relative;color:#fff'>STUFF</h2>",
    );
}
