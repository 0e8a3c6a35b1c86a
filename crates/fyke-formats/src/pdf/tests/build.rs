//! Builds small PDF files for tests.

use crate::pdf::crypt;

/// A stream object with its length.
pub(super) fn stream(entries: &str, content: &str) -> String {
    format!("<< {entries} /Length {} >>\nstream\n{content}\nendstream", content.len())
}

/// A file of these objects, numbered from 1; the first is the catalogue.
pub(super) fn pdf(objects: &[&str]) -> Vec<u8> {
    pdf_with_trailer(objects, "")
}

pub(super) fn pdf_with_trailer(objects: &[&str], trailer: &str) -> Vec<u8> {
    let bytes: Vec<Vec<u8>> = objects.iter().map(|object| object.as_bytes().to_vec()).collect();
    assemble(&bytes, trailer)
}

fn assemble(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", file.len());
        file.extend(format!("{} 0 obj\n", number + 1).bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    file.extend(table.bytes());
    let size = objects.len() + 1;
    file.extend(format!("trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\n").bytes());
    file.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
    file
}

/// The fonts of the page: Latin, Latin by names, and two ways of writing Japanese.
const FONTS: &str = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
    /Encoding /WinAnsiEncoding >> /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
    /Encoding << /Differences [1 /ccaron /uni0065 /ffi] >> >> \
    /F3 << /Type /Font /Subtype /Type0 /BaseFont /J /Encoding /Identity-H /ToUnicode 5 0 R \
    /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /DW 1000 >>] >> \
    /F4 << /Type /Font /Subtype /Type0 /BaseFont /K /Encoding /90ms-RKSJ-H \
    /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 >>] >> >>";

/// A file with one page for each content.
pub(super) fn pages(contents: &[String]) -> Vec<u8> {
    let resources = format!("<< {FONTS} /XObject << /X1 6 0 R >> >>");
    let kids: Vec<String> = (0..contents.len()).map(|n| format!("{} 0 R", 8 + 2 * n)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R /Lang (sl-SI) >>".to_owned(),
        format!(
            "<< /Type /Pages /Kids [{}] /MediaBox [0 0 600 800] /Resources {resources} >>",
            kids.join(" ")
        ),
        "<< /Title (A title \\205 of ours) /Author <FEFF010C002E0020004E006F0062006F00640079> \
         /CreationDate (D:20240305100000+01'00') >>"
            .to_owned(),
        "<< /Type /Annot /Subtype /Link /Rect [93 595 120 612] /A << /S /URI \
         /URI (http://a.test/?x=1&y) >> >>"
            .to_owned(),
        stream(
            "",
            "1 beginbfrange <0001> <0009> [<65E5> <672C> <05E9> <05DC> <05D5> <05DD> <FEB3> <FEFC> <FEE1>] endbfrange",
        ),
        stream("/Type /XObject /Subtype /Form", "BT /F1 12 Tf 0 0 Td (formed) Tj ET"),
        "null".to_owned(),
    ];
    for (number, content) in contents.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /Contents {} 0 R /Annots [4 0 R] >>",
            9 + 2 * number
        ));
        objects.push(stream("", content));
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    pdf_with_trailer(&objects, "/Info 3 0 R")
}

/// A file with one page.
pub(super) fn page(content: &str) -> Vec<u8> {
    // The link is only wanted where its words stand.
    let file = pages(&[content.to_owned()]);
    if content.contains("600 Td") {
        return file;
    }
    String::from_utf8(file).unwrap().replace("/Annots [4 0 R]", "               ").into_bytes()
}

/// A file whose places stand in a cross-reference stream: objects, and members of object streams
/// (number, stream, position).
pub(super) fn with_xref_stream(objects: &[(u32, &str)], bundled: &[(u32, u8, u8)]) -> Vec<u8> {
    let mut file = b"%PDF-1.5\n".to_vec();
    let size = 16;
    let mut rows = vec![[0u8; 4]; size];
    for &(number, object) in objects {
        let [.., high, low] = file.len().to_be_bytes();
        rows[number as usize] = [1, high, low, 0];
        file.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
    }
    for &(number, stream, position) in bundled {
        rows[number as usize] = [2, 0, stream, position];
    }
    let start = file.len();
    let hex: String = rows.concat().iter().map(|byte| format!("{byte:02x}")).collect();
    let entries =
        format!("/Type /XRef /W [1 2 1] /Size {size} /Root 1 0 R /Filter /ASCIIHexDecode");
    file.extend(
        format!("15 0 obj\n{}\nendobj\nstartxref\n{start}\n", stream(&entries, &hex)).bytes(),
    );
    file
}

/// A page encrypted with RC4 of 40 bits and the empty password.
pub(super) fn encrypted(content: &str) -> Vec<u8> {
    let secret = crypt::seal(content.as_bytes(), 4);
    let mut body = format!("<< /Length {} >>\nstream\n", secret.len()).into_bytes();
    body.extend(secret);
    body.extend(b"\nendstream");
    let page = format!(
        "<< /Type /Page /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << {FONTS} >> >>"
    );
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] >>".to_vec(),
        page.into_bytes(),
        body,
    ];
    let user: String = crypt::user_entry().iter().map(|byte| format!("{byte:02x}")).collect();
    let trailer = format!(
        "/ID [(id) (id)] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (owner) /U <{user}> >>"
    );
    assemble(&objects, &trailer)
}
