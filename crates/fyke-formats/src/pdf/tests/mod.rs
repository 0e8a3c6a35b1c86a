//! Whole files, written by hand: what comes out of them.

mod build;
mod cost;
mod hostile;

use super::fuel::Fuel;
use super::read;
use crate::Converted;
use build::{page, pdf, stream};

fn convert(bytes: &[u8]) -> Converted {
    read(bytes, &Fuel::default())
}

/// The markup inside the first page.
fn inside(bytes: &[u8]) -> String {
    let markup = convert(bytes).markup;
    let inner = markup.strip_prefix("<section data-page=\"1\">\n").unwrap_or(&markup);
    inner.split("</section>").next().unwrap_or_default().trim_end().to_owned()
}

/// Draws `content` on a page of our own and compares the markup, lines of a block as one.
fn check(content: &str, expected: &str) {
    assert_eq!(flat(&inside(&page(content))), expected, "{content}");
}

/// Markup whose blocks are a line each.
fn flat(markup: &str) -> String {
    let mut out = String::new();
    for line in markup.lines() {
        let ends = ["</p>", "</li>", "<ul>", "</ul>", "</h1>", "</h2>", "</h3>", "</a>"];
        let is_block = ends.iter().any(|end| out.ends_with(end));
        let between = if is_block { "\n" } else { " " };
        out.push_str(if out.is_empty() { "" } else { between });
        out.push_str(line);
    }
    out
}

#[test]
fn a_paragraph_keeps_its_lines() {
    let drawn = "BT /F1 12 Tf 14 TL 72 700 Td (one two) Tj T* (three hy-) Tj T* (phen four) Tj ET";
    assert_eq!(inside(&page(drawn)), "<p>one two\nthree hyphen\nfour</p>");
}

#[test]
fn operators_that_show_text_show_it() {
    check("BT /F1 12 Tf 72 700 Td (Hello) Tj ET", "<p>Hello</p>");
    check("BT /F1 12 Tf 72 700 Td [(Wo) -20 (rd) -300 (two)] TJ ET", "<p>Word two</p>");
    check("BT /F1 12 Tf 14 TL 72 700 Td (one) Tj T* (two) Tj (three) ' ET", "<p>one two three</p>");
    check("BT /F1 12 Tf 14 TL 72 700 Td (a b) Tj 5 0 (c d) \" ET", "<p>a b c d</p>");
    check("BT /F1 12 Tf 1 0 0 1 72 700 Tm <48 69> Tj ET", "<p>Hi</p>");
    check("q 2 0 0 2 0 0 cm BT /F1 12 Tf 36 350 Td (x) Tj 8 0 Td (y) Tj ET Q", "<p>x y</p>");
    check("BT /F1 12 Tf 72 700 Td 3 Tc (spaced) Tj ET", "<p>spaced</p>");
}

#[test]
fn characters_are_those_of_the_encoding_and_are_escaped() {
    check(
        "BT /F1 12 Tf 72 700 Td (caf\\351 <&> \\223x\\224) Tj ET",
        "<p>café &lt;&amp;&gt; “x”</p>",
    );
    check("BT /F2 12 Tf 72 700 Td (\\001\\002 \\003) Tj ET", "<p>če ffi</p>");
    check("BT /F3 12 Tf 72 700 Td <00010002> Tj ET", "<p>日本</p>");
    check("BT /F4 12 Tf 72 700 Td <93FA967B> Tj ET", "<p>日本</p>");
}

#[test]
fn text_from_right_to_left_is_read_in_its_order() {
    // Drawn from left to right as it stands: "olleh", the last letter first.
    check("BT /F3 12 Tf 72 700 Td <0006000500040003> Tj ET", "<p>שלום</p>");
    // Forms of letters, one of them two letters.
    check("BT /F3 12 Tf 72 700 Td <000900080007> Tj ET", "<p>سلام</p>");
    // Each glyph by itself, the first one rightmost.
    let alone = "BT /F3 12 Tf 1 0 0 1 136 700 Tm <0003> Tj 1 0 0 1 124 700 Tm <0004> Tj \
                 1 0 0 1 112 700 Tm <0005> Tj 1 0 0 1 100 700 Tm <0006> Tj ET";
    check(alone, "<p>שלום</p>");
    // Two words on a line, and a line below that begins with a number.
    check(
        "BT /F3 12 Tf 14 TL 72 700 Td [<00060003> -400 <0006000500040003>] TJ ET",
        "<p>שלום שם</p>",
    );
    let mixed = "BT /F3 12 Tf 72 700 Td <0006000500040003> Tj /F1 12 Tf 53 0 Td (New York) Tj ET";
    check(mixed, "<p>שלום New York</p>");
}

#[test]
fn accents_drawn_over_letters_join_them() {
    check("BT /F1 12 Tf 72 700 Td [(na) (\\264) 333 (e)] TJ ET", "<p>naé</p>");
}

#[test]
fn what_is_drawn_twice_to_look_bold_is_read_once() {
    check("BT /F1 12 Tf 72 700 Td (Bold) Tj .3 0 Td (Bold) Tj ET", "<p>Bold</p>");
}

#[test]
fn actual_text_stands_for_its_glyphs() {
    check(
        "BT /F1 12 Tf 72 700 Td /Span <</ActualText (real)>> BDC (xxxx) Tj EMC ET",
        "<p>real</p>",
    );
}

#[test]
fn hyphens_that_part_words_go_and_others_stay() {
    let lines = |lines: &[&str]| {
        let drawn: Vec<String> = lines.iter().map(|line| format!("({line}) Tj T*")).collect();
        format!("BT /F1 12 Tf 14 TL 72 700 Td {} ET", drawn.join(" "))
    };
    check(
        &lines(&["a word that is part-", "ed at the line end"]),
        "<p>a word that is parted at the line end</p>",
    );
    check(
        &lines(&["a tree is well-known, a well-", "known tree"]),
        "<p>a tree is well-known, a well-known tree</p>",
    );
    check(
        &lines(&["the years of 2020-", "2024 were long"]),
        "<p>the years of 2020-2024 were long</p>",
    );
}

#[test]
fn sizes_make_headings_and_bullets_lists() {
    let content = "BT /F1 24 Tf 72 700 Td (A heading) Tj /F1 10 Tf 0 -30 Td (Some words of the body.) Tj \
         0 -20 Td (\\225 one item) Tj 0 -12 Td (\\225 another item) Tj ET";
    check(
        content,
        "<h1>A heading</h1>\n<p>Some words of the body.</p>\n<ul>\n<li>one item</li>\n\
         <li>another item</li>\n</ul>",
    );
    let untitled = String::from_utf8(page(content)).unwrap().replace("/Title", "/Other");
    assert_eq!(convert(untitled.as_bytes()).title, "A heading");
}

#[test]
fn columns_are_read_one_after_the_other() {
    let column = |x: u32, word: &str| {
        let line = format!("(these are some {word} words of) Tj T* ");
        format!("BT /F1 10 Tf 12 TL {x} 700 Td {} ET ", line.repeat(6))
    };
    let both = column(72, "left") + &column(320, "right");
    let text = inside(&page(&both));
    let (left, right) = (text.rfind("left").unwrap(), text.find("right").unwrap());
    assert!(left < right, "{text}");
}

#[test]
fn turned_text_comes_last() {
    check(
        "BT /F1 12 Tf 0 1 -1 0 30 300 Tm (margin) Tj ET BT /F1 12 Tf 72 700 Td (some text) Tj ET",
        "<p>some text</p>\n<p>margin</p>",
    );
}

#[test]
fn forms_are_drawn_where_they_are_used() {
    check("q 1 0 0 1 72 700 cm /X1 Do Q", "<p>formed</p>");
}

#[test]
fn links_stand_around_their_words() {
    check(
        "BT /F1 12 Tf 72 600 Td (see here now) Tj ET",
        "<p>see <a href=\"http://a.test/?x=1&amp;y\">here</a> now</p>",
    );
}

#[test]
fn running_heads_go_and_pages_are_counted() {
    let one = |n: usize| {
        let word = ["first", "second", "third"][n - 1];
        let head = format!("BT /F1 10 Tf 72 780 Td (Some journal, page {n}) Tj");
        format!("{head} 0 -80 Td (The {word} text.) Tj ET")
    };
    let markup = convert(&build::pages(&[one(1), one(2), one(3)])).markup;
    assert_eq!(markup.matches("<section data-page=").count(), 3);
    assert!(!markup.contains("journal"), "{markup}");
    assert!(markup.contains("The third text."));
    let two = convert(&build::pages(&[one(1), one(2)])).markup;
    assert!(two.contains("journal"), "two pages are no repetition");
}

#[test]
fn a_file_says_who_wrote_it_and_when() {
    let converted = convert(&page("BT /F1 12 Tf 72 700 Td (x) Tj ET"));
    assert_eq!(converted.title, "A title – of ours");
    assert_eq!(converted.author, "Č. Nobody");
    assert_eq!(converted.date, "2024-03-05T10:00:00+01:00");
    assert_eq!(converted.language, "sl-si");
    assert_eq!(converted.trouble, "");
}

#[test]
fn a_file_without_tables_is_searched() {
    let whole = page("BT /F1 12 Tf 72 700 Td (found) Tj ET");
    let at = memchr::memmem::rfind(&whole, b"xref\n0").unwrap();
    let converted = convert(&whole[..at]);
    assert!(converted.markup.contains("<p>found</p>"), "{converted:?}");
    assert!(converted.trouble.starts_with("damaged"));
    // Offsets that lie are found out one by one.
    let lying = [b"%PDF-1.4 with some more bytes in its head\n", &whole[9..]].concat();
    assert!(convert(&lying).markup.contains("<p>found</p>"));
}

#[test]
fn objects_in_object_streams_are_found() {
    let members =
        "1 0 2 36 << /Type /Catalog /Pages 2 0 R >>     << /Type /Pages /Kids [3 0 R] /Count 1 >>";
    let first = members.find("<<").unwrap();
    let second = members.rfind("<< /Type /Pages").unwrap() - first;
    let members = members.replacen("36", &second.to_string(), 1);
    let bundle = stream(&format!("/Type /ObjStm /N 2 /First {first}"), &members);
    let content = stream("", "BT /F1 12 Tf 72 700 Td (bundled) Tj ET");
    let page = "<< /Type /Page /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F1 << \
                /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>";
    let file =
        build::with_xref_stream(&[(3, page), (4, &bundle), (5, &content)], &[(1, 4, 0), (2, 4, 1)]);
    assert_eq!(inside(&file), "<p>bundled</p>");
}

#[test]
fn an_encrypted_file_opens_without_a_password() {
    // Made with RC4 of 40 bits and the empty password; the key is that of the handler itself.
    let file = build::encrypted("BT /F1 12 Tf 72 700 Td (secret) Tj ET");
    assert_eq!(inside(&file), "<p>secret</p>");
    let locked = build::pdf_with_trailer(
        &["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] >>"],
        "/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O (o) /U (u) >>",
    );
    assert_eq!(convert(&locked).trouble, "encrypted: a password is needed");
}

#[test]
fn files_that_are_none_say_so() {
    assert!(convert(b"").trouble.starts_with("no pages"));
    assert!(convert(b"just words").trouble.starts_with("no pages"));
    let empty = pdf(&[
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] >>",
        "<< /Type /Page >>",
    ]);
    assert_eq!(convert(&empty).trouble, "no text: pictures only");
}
