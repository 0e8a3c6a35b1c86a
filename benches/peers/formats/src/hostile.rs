//! Small files that ask for much.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// What a page draws, again and again.
const OPERATORS: &[u8] = b"BT /F 12 Tf 72 700 Td (word ) Tj ET\n";

pub fn make(folder: &Path) -> io::Result<()> {
    let gigabyte = repeated(OPERATORS, 1 << 30)?;
    let twice = packed(&repeated(OPERATORS, 512 << 20)?)?;
    fs::write(folder.join("unpacks-to-1-gb.pdf"), page("/FlateDecode", &gigabyte))?;
    fs::write(folder.join("packed-twice-512-mb.pdf"), page("[/FlateDecode /FlateDecode]", &twice))?;
    fs::write(folder.join("32-million-cross-references.pdf"), cross_references()?)?;
    fs::write(folder.join("two-far-cells.xlsx"), far_cells()?)
}

fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}

/// So many bytes of this, packed.
fn repeated(what: &[u8], length: usize) -> io::Result<Vec<u8>> {
    let block = what.repeat(1 << 15);
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut left = length;
    while left > 0 {
        let part = block.len().min(left);
        packer.write_all(&block[..part])?;
        left -= part;
    }
    packer.finish()
}

/// A file of one page that draws this.
fn page(filter: &str, content: &[u8]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let stream = format!("<< /Length {} /Filter {filter} >>\nstream\n", content.len());
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>".to_owned(),
        stream,
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        offsets.push(file.len());
        file.extend(format!("{number} 0 obj\n{object}").bytes());
        if number == 4 {
            file.extend(content);
            file.extend(b"\nendstream");
        }
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    file.extend(b"xref\n0 6\n0000000000 65535 f \n");
    offsets.iter().for_each(|at| file.extend(format!("{at:010} 00000 n \n").bytes()));
    file.extend(format!("trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes());
    file
}

/// A table of cross-references with a byte a row: objects in use, all at the beginning of the file.
fn cross_references() -> io::Result<Vec<u8>> {
    const ROWS: usize = 32_000_000;
    let mut file = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
        2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
        3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>\nendobj\n"
        .to_vec();
    let rows = repeated(&[1], ROWS)?;
    let start = file.len();
    let length = rows.len();
    let head = format!(
        "4 0 obj\n<< /Type /XRef /Size {ROWS} /W [1 0 0] /Root 1 0 R /Length {length} /Filter /FlateDecode >>\nstream\n"
    );
    file.extend(head.bytes());
    file.extend(rows);
    file.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").bytes());
    Ok(file)
}

/// A workbook with the first cell of a sheet and the last.
fn far_cells() -> io::Result<Vec<u8>> {
    const PARTS: [(&str, &str); 5] = [
        (
            "[Content_Types].xml",
            r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>"#,
        ),
        (
            "_rels/.rels",
            r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
        ),
        (
            "xl/workbook.xml",
            r#"<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="far" sheetId="1" r:id="r1"/></sheets></workbook>"#,
        ),
        (
            "xl/_rels/workbook.xml.rels",
            r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
        ),
        (
            "xl/worksheets/sheet1.xml",
            r#"<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>"#,
        ),
    ];
    let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, text) in PARTS {
        archive.start_file(name, zip::write::SimpleFileOptions::default())?;
        archive.write_all(text.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}
