//! Small files of every format, made by code.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use std::io::Write;

/// A zip archive of these files: some of them packed, so that changed bytes meet both kinds.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let is_packed = name.ends_with(".rels") || bytes.len() > 10_000;
        let method: u16 = if is_packed { 8 } else { 0 };
        let packed = if method == 0 { bytes.to_vec() } else { deflated(bytes) };
        let mut head = Vec::new();
        head.extend([20, 0, 0, 0]);
        head.extend(method.to_le_bytes());
        head.extend([0; 8]); // time, date, checksum
        head.extend(u32::try_from(packed.len()).expect("a small file").to_le_bytes());
        head.extend(u32::try_from(bytes.len()).expect("a small file").to_le_bytes());
        head.extend(u16::try_from(name.len()).expect("a small file").to_le_bytes());
        head.extend([0; 2]);
        let at = u32::try_from(out.len()).expect("a small file");
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
        out.extend(b"PK\x03\x04");
        out.extend(&head);
        out.extend(name.as_bytes());
        out.extend(packed);
    }
    let count = u16::try_from(files.len()).expect("a small file").to_le_bytes();
    let (size, at) = (directory.len(), out.len());
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count, count].concat());
    out.extend(u32::try_from(size).expect("a small file").to_le_bytes());
    out.extend(u32::try_from(at).expect("a small file").to_le_bytes());
    out.extend([0; 2]);
    out
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

const CORE: &str = "<cp:coreProperties><dc:title>Eels &amp; pikes</dc:title>\
    <dc:creator>Ana Riba</dc:creator><dcterms:created>2024-03-05T10:00:00Z</dcterms:created>\
    </cp:coreProperties>";

/// The relationships of a part: name, kind and target each.
fn relations(rows: &[(&str, &str, &str)]) -> String {
    let row = |(id, kind, target): &(&str, &str, &str)| {
        let mode = if target.contains(':') { " TargetMode='External'" } else { "" };
        format!("<Relationship Id='{id}' Type='http://x/{kind}' Target='{target}'{mode}/>")
    };
    format!("<Relationships>{}</Relationships>", rows.iter().map(row).collect::<String>())
}

fn package(main: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let root = relations(&[("rId1", "officeDocument", main)]);
    let mut all: Vec<(&str, &[u8])> = vec![
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", root.as_bytes()),
        ("docProps/core.xml", CORE.as_bytes()),
    ];
    all.extend(files.iter().map(|(name, text)| (*name, text.as_bytes())));
    zip(&all)
}

pub fn docx() -> Vec<u8> {
    let links = relations(&[
        ("rId1", "styles", "styles.xml"),
        ("rId2", "numbering", "numbering.xml"),
        ("rId3", "footnotes", "footnotes.xml"),
        ("rId4", "hyperlink", "http://a.test/?x=1&amp;y=2"),
    ]);
    package(
        "word/document.xml",
        &[
            ("word/_rels/document.xml.rels", &links),
            (
                "word/styles.xml",
                "<w:styles><w:style w:styleId='Kop1'><w:name w:val='heading 1'/>\
            </w:style><w:style w:styleId='Mine'><w:basedOn w:val='Kop1'/></w:style></w:styles>",
            ),
            (
                "word/numbering.xml",
                "<w:numbering><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'>\
            <w:numFmt w:val='decimal'/></w:lvl></w:abstractNum><w:num w:numId='1'>\
            <w:abstractNumId w:val='0'/></w:num></w:numbering>",
            ),
            (
                "word/footnotes.xml",
                "<w:footnotes><w:footnote w:type='separator'><w:p><w:r><w:t>no</w:t>\
            </w:r></w:p></w:footnote><w:footnote w:id='2'><w:p><w:r><w:t>a note</w:t></w:r></w:p>\
            </w:footnote></w:footnotes>",
            ),
            (
                "word/document.xml",
                "<?xml version='1.0'?><w:document><w:body>\
            <w:p><w:pPr><w:pStyle w:val='Mine'/><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr>\
            <w:r><w:t>The eel</w:t></w:r></w:p>\
            <w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space='preserve'>Long </w:t></w:r>\
            <w:r><w:rPr><w:i/><w:b w:val='0'/></w:rPr><w:t>and thin</w:t></w:r>\
            <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>\
            <w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>\
            <w:p><w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr></w:pPr>\
            <w:r><w:t>first</w:t></w:r></w:p>\
            <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r></w:p>\
            </w:tc><w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr></w:tbl>\
            <w:p><w:hyperlink r:id='rId4'><w:r><w:t>link</w:t></w:r></w:hyperlink><w:r>\
            <w:footnoteReference w:id='2'/><w:br/><w:t>&lt;end&gt;</w:t></w:r></w:p>\
            </w:body></w:document>",
            ),
        ],
    )
}

pub fn pptx() -> Vec<u8> {
    let slide = |title: &str, body: &str| {
        format!(
            "<p:sld><p:sp><p:nvPr><p:ph type='title'/></p:nvPr><a:p><a:r><a:t>{title}</a:t>\
            </a:r></a:p></p:sp><p:sp><a:p><a:r><a:t>{body}</a:t></a:r></a:p></p:sp><p:sp><p:nvPr>\
            <p:ph type='sldNum'/></p:nvPr><a:p><a:fld><a:t>7</a:t></a:fld></a:p></p:sp></p:sld>"
        )
    };
    package(
        "ppt/presentation.xml",
        &[
            (
                "ppt/presentation.xml",
                "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='rId2'/>\
            <p:sldId id='257' r:id='rId1'/></p:sldIdLst></p:presentation>",
            ),
            (
                "ppt/_rels/presentation.xml.rels",
                &relations(&[
                    ("rId1", "slide", "slides/slide1.xml"),
                    ("rId2", "slide", "/ppt/slides/slide2.xml"),
                ]),
            ),
            ("ppt/slides/slide1.xml", &slide("Second", "the pike")),
            ("ppt/slides/slide2.xml", &slide("First", "the eel")),
            (
                "ppt/slides/_rels/slide2.xml.rels",
                &relations(&[("rId1", "notesSlide", "../notesSlides/notesSlide1.xml")]),
            ),
            (
                "ppt/notesSlides/notesSlide1.xml",
                "<p:notes><p:sp><a:p><a:r><a:t>say it</a:t></a:r>\
            </a:p></p:sp></p:notes>",
            ),
        ],
    )
}

pub fn xlsx() -> Vec<u8> {
    package(
        "xl/workbook.xml",
        &[
            (
                "xl/workbook.xml",
                "<workbook><sheets><sheet name='Fish' sheetId='1' r:id='rId1'/>\
            </sheets></workbook>",
            ),
            (
                "xl/_rels/workbook.xml.rels",
                &relations(&[
                    ("rId1", "worksheet", "worksheets/sheet1.xml"),
                    ("rId2", "sharedStrings", "sharedStrings.xml"),
                    ("rId3", "styles", "styles.xml"),
                ]),
            ),
            (
                "xl/sharedStrings.xml",
                "<sst><si><t>eel</t></si><si><r><t>pi</t></r><r><t>ke</t></r>\
            <rPh><t>no</t></rPh></si></sst>",
            ),
            (
                "xl/styles.xml",
                "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='yyyy-mm'/>\
            </numFmts><cellStyleXfs><xf numFmtId='14'/></cellStyleXfs><cellXfs><xf numFmtId='0'/>\
            <xf numFmtId='164'/></cellXfs></styleSheet>",
            ),
            (
                "xl/worksheets/sheet1.xml",
                "<worksheet><sheetData><row r='1'><c r='A1' t='s'><v>0</v></c>\
            <c r='C1' t='s'><v>1</v></c></row><row><c s='1'><v>45356</v></c><c><f>1+1</f><v>2.5</v>\
            </c><c t='b'><v>1</v></c><c t='inlineStr'><is><t>in</t></is></c><c t='s'><v>99</v></c>\
            </row></sheetData></worksheet>",
            ),
        ],
    )
}

const META: &str = "<office:document-meta><dc:title>Eels</dc:title><meta:initial-creator>Ana\
    </meta:initial-creator><dc:date>2024-03-05T10:00:00</dc:date><dc:language>en-GB</dc:language>\
    </office:document-meta>";

fn odf(kind: &str, body: &str) -> Vec<u8> {
    let media = format!("application/vnd.oasis.opendocument.{kind}");
    let content = format!(
        "<?xml version='1.0'?><office:document-content><office:automatic-styles>\
        <style:style style:name='T1'><style:text-properties fo:font-weight='bold'/></style:style>\
        <text:list-style style:name='L1'><text:list-level-style-number text:level='1' \
        style:num-format='1'/></text:list-style></office:automatic-styles><office:body>{body}\
        </office:body></office:document-content>"
    );
    zip(&[
        ("mimetype", media.as_bytes()),
        ("content.xml", content.as_bytes()),
        ("meta.xml", META.as_bytes()),
    ])
}

pub fn odt() -> Vec<u8> {
    odf(
        "text",
        "<text:h text:outline-level='2'>The eel</text:h><text:p>a <text:span \
        text:style-name='T1'>bold</text:span><text:s text:c='3'/>b<text:note><text:note-citation>1\
        </text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note>\
        </text:p><text:list text:style-name='L1'><text:list-item><text:p>one</text:p>\
        </text:list-item></text:list><text:p><text:a xlink:href='http://a.test/'>link</text:a>\
        <office:annotation><text:p>no</text:p></office:annotation></text:p><table:table>\
        <table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell>\
        <text:p>y</text:p></table:table-cell></table:table-row></table:table>",
    )
}

pub fn ods() -> Vec<u8> {
    odf(
        "spreadsheet",
        "<table:table table:name='Fish'><table:table-row><table:table-cell>\
        <text:p>eel</text:p></table:table-cell><table:table-cell \
        table:number-columns-repeated='2'><text:p>2</text:p></table:table-cell><table:table-cell \
        table:number-columns-repeated='1000000000'/></table:table-row></table:table>",
    )
}

pub fn odp() -> Vec<u8> {
    odf(
        "presentation",
        "<draw:page><draw:frame><draw:text-box><text:p>eel</text:p></draw:text-box>\
        </draw:frame></draw:page><draw:page><text:p>pike</text:p></draw:page>",
    )
}

pub fn epub() -> Vec<u8> {
    zip(&[
        ("mimetype", b"application/epub+zip"),
        (
            "META-INF/container.xml",
            b"<container><rootfiles><rootfile full-path='OPS/a.opf'/>\
            </rootfiles></container>",
        ),
        (
            "OPS/a.opf",
            b"<package><metadata><dc:title>Eels</dc:title><dc:creator>Ana</dc:creator>\
            <dc:language>en</dc:language><dc:date>2024</dc:date></metadata><manifest><item id='b' \
            href='two.xhtml'/><item id='a' href='one%20a.xhtml'/></manifest><spine>\
            <itemref idref='a'/><itemref idref='b'/></spine></package>",
        ),
        (
            "OPS/one a.xhtml",
            b"<?xml version='1.0'?><html><head><title/></head><body><h1>One</h1>\
            <p>eel</p></body></html>",
        ),
        ("OPS/two.xhtml", b"<html><body><p>pike</p></body></html>"),
    ])
}

pub const EML: &str = "From: =?utf-8?q?Ana_Riba?= <ana@a.test>\r\nTo: bo@b.test\r\n\
    Subject: The =?iso-8859-2?q?=BEaba?=\r\nDate: Tue, 5 Mar 2024 10:00:00 +0100\r\n\
    MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"x\"\r\n\r\n--x\r\n\
    Content-Type: multipart/alternative; boundary=y\r\n\r\n--y\r\nContent-Type: text/html\r\n\r\n\
    <p>rich</p>\r\n--y\r\nContent-Type: text/plain; charset=windows-1250\r\n\
    Content-Transfer-Encoding: quoted-printable\r\n\r\nplain =9Eaba=\r\n and more\r\n--y--\r\n--x\r\n\
    Content-Type: text/csv; name=t.csv\r\nContent-Transfer-Encoding: base64\r\n\
    Content-Disposition: attachment; filename=\"t.csv\"\r\n\r\nYSxiCjEsMgo=\r\n--x--\r\n";

pub fn mbox() -> Vec<u8> {
    let mail = EML.replace("\r\n", "\n");
    format!(
        "From ana@a.test Tue Mar  5 10:00:00 2024\n{mail}\n\
        From bo@b.test Wed Mar  6 10:00:00 2024\nFrom: bo@b.test\nSubject: Re\nTo: ana@a.test\n\n\
        >From there\n"
    )
    .into_bytes()
}

pub const RTF: &str = "{\\rtf1\\ansi\\ansicpg1250{\\fonttbl{\\f0\\fcharset238 Arial;}}{\\info{\\title \
    Eels}}\\pard {\\b The} \\u382?aba \\'9e\\par\\trowd\\intbl a\\cell b\\cell\\row}";
pub const MARKDOWN: &str = "---\ntitle: Eels\n---\n# The eel\n\n- a *b*\n  - [c](/d)\n\n| x | y |\n\
    |---|---|\n| 1 | 2 |\n\n```\ncode\n```\n";
pub const POSTSCRIPT: &str = "%!PS\n%%Title: Eels\n72 700 moveto (The eel) show showpage\n";
pub const PDF: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 \
    R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 \
    R>>endobj\n4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n5 0 obj<</Length \
    38>>stream\nBT /F 12 Tf 72 700 Td (The eel) Tj ET \nendstream endobj\ntrailer<</Root 1 0 R>>\n";
pub const CSV: &str = "name;size\n\"eel; long\";1,5\npike;2\n";
pub const JSON: &str = "{\"a\": \"the eel\", \"b\": [\"pike\", {\"c\": \"\\u017eaba\"}]}";
pub const XML: &str =
    "<?xml version='1.0'?><fish><name>eel &amp; pike</name><![CDATA[<raw>]]></fish>";
pub const HTML: &str = "<!doctype html><title>Eels</title><h1>The eel</h1><p>long <b>and</b> thin";

/// Every sample with the name of its format.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("docx", docx()),
        ("pptx", pptx()),
        ("xlsx", xlsx()),
        ("odt", odt()),
        ("ods", ods()),
        ("odp", odp()),
        ("epub", epub()),
        ("eml", EML.into()),
        ("mbox", mbox()),
        ("rtf", RTF.into()),
        ("markdown", MARKDOWN.into()),
        ("pdf", PDF.into()),
        ("postscript", POSTSCRIPT.into()),
        ("csv", CSV.into()),
        ("json", JSON.into()),
        ("xml", XML.into()),
        ("html", HTML.into()),
        ("text", "the eel\n\nthe pike".into()),
        ("zip", zip(&[("a.md", MARKDOWN.as_bytes()), ("b/c.docx", &docx())])),
        ("gzip", gzip(RTF.as_bytes())),
    ]
}
