//! Files made to cost much: for every format what its reader could do again and again. Work that grows faster than
//! a file would take minutes here; `examples/format_cost.rs` says what each costs at full size.

use crate::samples::{self, gzip, zip};

/// A file made to cost much.
pub struct Hostile {
    pub format: &'static str,
    pub what: String,
    pub bytes: Vec<u8>,
}

/// A file whose page draws what follows, up to the end.
const PDF: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
    2 0 obj<</Type/Pages/Kids[3 0 R]>>endobj\n\
    3 0 obj<</Type/Page/Contents 5 0 R/Resources<</XObject<</X 5 0 R>>\
    /Font<</F 4 0 R/G<</Subtype/Type1>>>>>>>>endobj\n\
    4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n\
    5 0 obj<</Subtype/Form>>stream\nBT /F 12 Tf 72 700 Td ";

/// Pieces that are repeated to the full size, by format.
const PIECES: &[(&str, &str, &[&str])] = &[
    (
        "rtf",
        "{\\rtf1 ",
        &[
            "\\a",
            "\\par",
            "{",
            "{\\b x}",
            "\\u9?",
            "\\cell",
            "\\f1\\'e6",
            "\\trowd\\intbl x\\cell\\row",
        ],
    ),
    (
        "rtf",
        "{\\rtf1 ",
        &["{\\field{\\*\\fldinst HYPERLINK \"x\"}{\\fldrslt y}}", "{\\s1 heading 1;}"],
    ),
    (
        "postscript",
        "%!\ncurrentfile ",
        &["exec ", "a ", "(a)show ", "[", "{", "<", "(", "%\n", "1 2 moveto(a)show "],
    ),
    ("csv", "", &[",", "\n", "\"", "a,b\n", "\"a\"\"", ";;\n"]),
    ("json", "", &["\"\",", "[", "{\"a\":", "\"\\u0061\"", "\"\\"]),
    (
        "xml",
        "<?xml version='1.0'?>",
        &["<a>", "<a b='c'>x", "&amp;", "<", "<![CDATA[x]]>", "<a b=", "</a>"],
    ),
    (
        "html",
        "<!doctype html>",
        &["<p>x", "<b>", "<table><td>x", "<a href=x>y", "<title>", "<script>", "<!--", "</p>"],
    ),
    (
        "markdown",
        "",
        &[
            "a\n", "> ", "1. ", "- a\n", "  - ", "[a](", "[a]: b\n", "[", "*a **", "`a``", "<a ",
            "|a", "&#", "# a\n",
        ],
    ),
    ("markdown", "> > > > > > > > > > > > > > > > a\n", &["a\n", "> a\n"]),
    (
        "pdf",
        PDF,
        &[
            "(x)Tj ",
            "0.001 0.001 Td(x)Tj ",
            "0.0001 0 Td(x)Tj ",
            "/F 9 Tf(x)Tj ",
            "/G 9 Tf(x)Tj ",
            "[(x)9(y)-900(z)]TJ ",
            "1 0 0 1 72 700 Tm(x)Tj 1 0 0 1 300 700 Tm(y)Tj ",
            "0 -0.01 Td(a few words that stand in a line)Tj ",
            "q ",
            "/Span<</ActualText(x y z)>>BDC(x)Tj EMC ",
            "BI ID ",
            "<<",
            "[",
            "/X Do ",
            "%",
        ],
    ),
    ("text", "", &["a\n", "\n", "a", "\u{17E} "]),
    (
        "eml",
        "Subject: x\nFrom: a@b.test\n",
        &["X: y\n", " ", "Subject: =?utf-8?q?", "Content-Type: message/rfc822\n\n"],
    ),
    (
        "eml",
        "Subject: x\nFrom: a@b.test\nContent-Type: multipart/mixed; boundary=x\n\n",
        &["--x\n\na\n", "--x\n", "-"],
    ),
    (
        "eml",
        "From: a@b.test\nContent-Transfer-Encoding: base64\nContent-Type: application/zip\n\n",
        &["AAAA", "!", "UEsDBA=="],
    ),
    (
        "mbox",
        "",
        &["From a@b.test 2000\n\n", "From a@b.test 2000\nSubject: x\nTo: y\n\nz\n\n", "\n>From "],
    ),
];

/// Parts of packages whose pieces are repeated: format, part, what stands before and behind, and pieces.
const PARTS: &[(&str, &str, [&str; 2], &[&str])] = &[
    (
        "docx",
        "word/document.xml",
        ["<w:body>", "</w:body>"],
        &[
            "<w:p>",
            "<w:p><w:r><w:t>x</w:t></w:r></w:p>",
            "<w:tbl>",
            "<w:p><w:hyperlink r:id='a'/></w:p>",
            "<w:p><w:pPr><w:pStyle w:val='a'/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>",
        ],
    ),
    (
        "docx",
        "word/styles.xml",
        ["<w:styles>", "</w:styles>"],
        &["<w:style w:styleId='a'><w:basedOn w:val='b'/></w:style>"],
    ),
    ("pptx", "ppt/presentation.xml", ["<p>", "</p>"], &["<p:sldId r:id='a'/>"]),
    (
        "pptx",
        "ppt/slides/slide1.xml",
        ["<p:sld>", "</p:sld>"],
        &["<a:p><a:r><a:hlinkClick r:id='a'/><a:t></a:t></a:r></a:p>", "<a:tbl>", "<a:t>x</a:t>"],
    ),
    (
        "xlsx",
        "xl/worksheets/sheet1.xml",
        ["<sheetData><row>", "</row></sheetData>"],
        &[
            "<c r='ZZZZ1'><v>1</v></c>",
            "<c t='s'><v>0</v></c>",
            "<row>",
            "<c>",
            "<c><v>1e308</v></c>",
        ],
    ),
    (
        "xlsx",
        "xl/sharedStrings.xml",
        ["<sst><si><t>", "</t></si></sst>"],
        &["x", "</t></si><si><t>x"],
    ),
    (
        "odt",
        "content.xml",
        ["<office:text>", "</office:text>"],
        &[
            "<text:p>",
            "<text:p>x</text:p>",
            "<text:list>",
            "<text:span text:style-name='a'>x",
            "<text:a xlink:href='x'/>",
        ],
    ),
    (
        "ods",
        "content.xml",
        ["<table:table>", "</table:table>"],
        &[
            "<table:table-cell table:number-columns-repeated='99999'><text:p>x</text:p></table:table-cell>",
            "<table:table-row>",
            "<table:table-cell table:number-columns-repeated='9'/>",
        ],
    ),
    (
        "epub",
        "OPS/a.opf",
        [
            "<package><manifest><item id='a' href='a.xhtml'/></manifest><spine>",
            "</spine></package>",
        ],
        &["<itemref idref='a'/>"],
    ),
    ("epub", "OPS/a.xhtml", ["<html>", "</html>"], &["<p>x</p>", "<a href='x'>", "<b>"]),
];

/// The other parts that a package needs to be read.
fn package(format: &str, part: &str, content: &[u8]) -> Vec<u8> {
    let relation = |kind: &str, target: &str| {
        format!("<Relationship Id='a' Type='x/{kind}' Target='{target}'/>")
    };
    let media = format!(
        "application/vnd.oasis.opendocument.{}",
        if format == "ods" { "spreadsheet" } else { "text" }
    );
    let long = "y".repeat(2_000);
    let parts: &[(&str, String)] = &match format {
        "docx" => vec![
            ("[Content_Types].xml", String::new()),
            ("word/document.xml", String::new()),
            (
                "word/_rels/document.xml.rels",
                relation("styles", "styles.xml") + &relation("hyperlink", &long),
            ),
        ],
        "pptx" => vec![
            ("[Content_Types].xml", String::new()),
            ("ppt/presentation.xml", "<p:sldId r:id='a'/>".to_owned()),
            ("ppt/_rels/presentation.xml.rels", relation("slide", "slides/slide1.xml")),
            ("ppt/slides/slide1.xml", "<p/>".to_owned()),
            ("ppt/slides/_rels/slide1.xml.rels", relation("hyperlink", &long)),
        ],
        "xlsx" => vec![
            ("[Content_Types].xml", String::new()),
            ("xl/workbook.xml", "<sheet name='x' r:id='a'/><sheet name='y' r:id='b'/>".to_owned()),
            (
                "xl/_rels/workbook.xml.rels",
                relation("worksheet", "worksheets/sheet1.xml")
                    + "<Relationship Id='s' Type='x/sharedStrings' Target='sharedStrings.xml'/>",
            ),
            ("xl/worksheets/sheet1.xml", "<row><c t='s'><v>0</v></c>".repeat(1_000)),
        ],
        "epub" => vec![
            ("mimetype", "application/epub+zip".to_owned()),
            ("META-INF/container.xml", "<rootfile full-path='OPS/a.opf'/>".to_owned()),
            ("OPS/a.opf", "<item id='a' href='a.xhtml'/><itemref idref='a'/>".to_owned()),
        ],
        _ => vec![("mimetype", media)],
    };
    let mut files: Vec<(&str, &[u8])> = parts
        .iter()
        .filter(|(name, _)| *name != part)
        .map(|(name, text)| (*name, text.as_bytes()))
        .collect();
    files.push((part, content));
    zip(&files)
}

/// An archive of many files that share these bytes, packed by a method.
fn shared(packed: &[u8], method: u8, count: u16) -> Vec<u8> {
    let length = |bytes: usize| u32::try_from(bytes).expect("a small file").to_le_bytes();
    let sizes = [length(packed.len()), length(packed.len())].concat();
    let head =
        [&[20, 0, 0, 0, method, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sizes, &[1, 0, 0, 0]].concat();
    let row = [b"PK\x01\x02\x14\0", &head[..], &[0; 14], b"a"].concat();
    let mut out = [b"PK\x03\x04", &head[..], b"a", packed].concat();
    let at = out.len();
    out.extend(row.repeat(usize::from(count)));
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    out.extend(length(row.len() * usize::from(count)));
    out.extend(length(at));
    out.extend([0; 2]);
    out
}

/// Hostile files of about `size` bytes each, unpacked.
pub fn all(size: usize) -> Vec<Hostile> {
    let mut files = Vec::new();
    let filled = |piece: &str, around: [&str; 2]| {
        [around[0], &piece.repeat(size / piece.len()), around[1]].concat().into_bytes()
    };
    for (format, head, pieces) in PIECES {
        for piece in *pieces {
            let bytes = filled(piece, [head, ""]);
            files.push(Hostile { format, what: format!("{piece:?}"), bytes });
        }
    }
    for (format, part, around, pieces) in PARTS {
        for piece in *pieces {
            let bytes = package(format, part, &filled(piece, *around));
            files.push(Hostile { format, what: format!("{part} of {piece:?}"), bytes });
        }
    }
    let latin: Vec<u8> = std::iter::repeat_n(*b"\xE9t\xE9 ", size / 4).flatten().collect();
    // Deflated blocks that hold nothing.
    let empty = [0, 0, 0, 0xFF, 0xFF].repeat(size / 5);
    let members = gzip(b"").repeat(size / 20);
    let pdf = include_bytes!("../data/hostile-pdf/w.pdf");
    let mut other = |format, what: &str, bytes| {
        files.push(Hostile { format, what: what.to_owned(), bytes });
    };
    other("text", "an undeclared encoding", latin);
    other("zip", "files that share their bytes", shared(&empty, 8, 10_000));
    other("zip", "hostile files of PDF", shared(pdf, 0, 1_000));
    other("zip", "archives in archives", shared(&shared(b"x", 0, 10_000), 0, 1_000));
    other("zip", "texts", shared(&filled("[a](", ["# ", ""]), 0, 1_000));
    other("gzip", "members of nothing", members);
    other("gzip", "rich text", gzip(&filled("\\a", ["{\\rtf1 ", ""])));
    other(
        "eml",
        "a workbook",
        [b"From: a\nTo: b\nContent-Type: application/x\n\n", &samples::xlsx()[..]].concat(),
    );
    files
}
