//! Set pages as files: PDF as TeX makes it (words apart by steps), PostScript that shows strings, and as dvips writes it.

use super::sheet::{Face, HEIGHT, SetPage, WIDTH};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fmt::Write as _;
use std::io::Write as _;

const FACES: [(Face, &str); 3] =
    [(Face::Roman, "Times-Roman"), (Face::Bold, "Times-Bold"), (Face::Italic, "Times-Italic")];

fn font(face: Face) -> usize {
    FACES.iter().position(|(known, _)| *known == face).unwrap_or(0) + 1
}

/// A string as both languages write it.
fn string(text: &str) -> String {
    let mut found = String::from("(");
    for c in text.chars() {
        if "()\\".contains(c) {
            found.push('\\');
        }
        found.push(c);
    }
    found + ")"
}

/// A PDF file with a title of its own, or none.
pub(super) fn pdf(pages: &[SetPage], title: &str) -> Vec<u8> {
    let mut objects: Vec<Vec<u8>> = Vec::new();
    let first_page = 3 + FACES.len();
    let kids: String = (0..pages.len()).map(|at| format!("{} 0 R ", first_page + at * 2)).collect();
    objects.push(b"<< /Type /Catalog /Pages 2 0 R >>".to_vec());
    objects.push(format!("<< /Type /Pages /Count {} /Kids [ {kids}] >>", pages.len()).into_bytes());
    for (_, name) in FACES {
        let font = format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        );
        objects.push(font.into_bytes());
    }
    for (at, page) in pages.iter().enumerate() {
        let fonts = "/F1 3 0 R /F2 4 0 R /F3 5 0 R";
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {} 0 R \
                 /Resources << /Font << {fonts} >> >> >>",
                first_page + at * 2 + 1
            )
            .into_bytes(),
        );
        objects.push(stream(&content(page)));
    }
    let info = (!title.is_empty()).then(|| format!("<< /Title {} >>", string(title)));
    let info_at = info.is_some().then_some(objects.len() + 1);
    objects.extend(info.map(String::into_bytes));
    file(&objects, info_at)
}

fn content(page: &SetPage) -> String {
    let mut text = String::from("BT\n");
    for line in page {
        let step = -line.space * 1000.0 / line.size;
        let words: Vec<String> = line.words.iter().map(|word| string(word)).collect();
        let words = words.join(&format!(" {step:.0} "));
        let _ = writeln!(
            text,
            "/F{} {:.1} Tf 1 0 0 1 {:.2} {:.2} Tm [{words}] TJ",
            font(line.face),
            line.size,
            line.x,
            line.y
        );
    }
    text + "ET\n"
}

fn stream(content: &str) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Memory takes whatever is written.
    encoder.write_all(content.as_bytes()).ok();
    let bytes = encoder.finish().unwrap_or_default();
    let head = format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", bytes.len());
    [head.as_bytes(), &bytes, b"\nendstream"].concat()
}

fn file(objects: &[Vec<u8>], info: Option<usize>) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n", at + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let table = bytes.len();
    let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for place in places {
        let _ = writeln!(end, "{place:010} 00000 n ");
    }
    let info = info.map_or(String::new(), |at| format!(" /Info {at} 0 R"));
    let _ = write!(
        end,
        "trailer\n<< /Size {} /Root 1 0 R{info} >>\nstartxref\n{table}\n%%EOF\n",
        objects.len() + 1
    );
    bytes.extend(end.bytes());
    bytes
}

/// PostScript that shows each line, word after word.
pub(super) fn postscript(pages: &[SetPage], title: &str) -> Vec<u8> {
    let mut text =
        format!("%!PS-Adobe-2.0\n%%Title: {title}\n%%Pages: {}\n%%EndComments\n", pages.len());
    for (at, (_, name)) in FACES.iter().enumerate() {
        let _ =
            writeln!(text, "/F{} {{ /{name} findfont exch scalefont setfont }} bind def", at + 1);
    }
    for (number, page) in pages.iter().enumerate() {
        let _ = writeln!(text, "%%Page: {0} {0}", number + 1);
        for line in page {
            let _ = writeln!(
                text,
                "{:.1} F{} {:.2} {:.2} moveto {} show",
                line.size,
                font(line.face),
                line.x,
                line.y,
                string(&line.words.join(" "))
            );
        }
        text.push_str("showpage\n");
    }
    text.push_str("%%EOF\n");
    text.into_bytes()
}

/// Dots of dvips for a point.
const DOTS: f32 = 300.0 / 72.0;

/// PostScript as dvips makes it of TeX.
pub(super) fn dvips(pages: &[SetPage], title: &str) -> Vec<u8> {
    let mut text = format!(
        "%!PS-Adobe-2.0\n%%Creator: dvips 5.55\n%%Title: {title}\n%%Pages: {}\n%%EndComments\n\
         %DVIPSParameters: dpi=300, comments removed\n%%BeginProcSet: tex.pro\n\
         /TeXDict 250 dict def TeXDict begin /N{{def}}def /B{{bind def}}N\n%%EndProcSet\n\
         TeXDict begin 40258431 52099146 1000 300 300 (paper.dvi) @start end\n",
        pages.len()
    );
    for (number, page) in pages.iter().enumerate() {
        let _ = writeln!(text, "%%Page: {0} {0}\nTeXDict begin {0} {1} bop", number + 1, number);
        for line in page {
            let (x, y) = ((line.x - 72.0) * DOTS, (HEIGHT - 72.0 - line.y) * DOTS);
            let _ = write!(text, "{x:.0} {y:.0} a F{}", (b'a' + font(line.face) as u8) as char);
            let step = (line.space * DOTS).round();
            for (at, word) in line.words.iter().enumerate() {
                let is_last = at + 1 == line.words.len();
                let _ = match is_last {
                    true => writeln!(text, "{}p", string(word)),
                    false => write!(text, "{}{step} b", string(word)),
                };
            }
        }
        text.push_str("eop end\n");
    }
    text.push_str("%%Trailer\nend\n%%EOF\n");
    text.into_bytes()
}
