//! What a file says of itself: title, author, date and language, from the information dictionary
//! and from XMP (ISO 32000-1 §14.3, §14.9.2).

use super::file::PdfFile;
use super::strings;
use fyke_web::html;

/// Bytes of XMP that are read, and characters of a title or author that are kept.
const LONGEST_XMP: usize = 1 << 20;
const LONGEST: usize = 500;
/// Ends of titles that are names of files.
const FILE_ENDS: &[&str] = &[
    ".doc", ".docx", ".dvi", ".indd", ".odt", ".pdf", ".ppt", ".pptx", ".ps", ".qxd", ".rtf",
    ".tex", ".txt", ".xls", ".xlsx", ".cdr", ".pub", ".wpd", ".html", ".htm",
];
/// Titles that programs give.
const JUNK: &[&str] = &[
    "untitled",
    "document",
    "document1",
    "slide 1",
    "powerpoint presentation",
    "title",
    "no title",
    "print",
    "(anonymous)",
    "anonymous",
    "unspecified",
    "unknown",
    "layout 1",
];

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct About {
    pub(super) title: String,
    pub(super) author: String,
    pub(super) date: String,
    pub(super) language: String,
}

pub(super) fn about(file: &PdfFile) -> About {
    let information = file.information();
    let entry = |key: &str| {
        let value = information.dict().map(|dict| file.get(dict, key)).unwrap_or_default();
        value.text().map(strings::decode).unwrap_or_default()
    };
    let catalog = file.catalog().unwrap_or_default();
    let metadata = file.get(&catalog, "Metadata");
    let xmp = metadata.stream().map(|stream| file.unpack(stream)).unwrap_or_default();
    let xmp = String::from_utf8_lossy(&xmp[..xmp.len().min(LONGEST_XMP)]).into_owned();
    let language = file.get(&catalog, "Lang").text().map(strings::decode).unwrap_or_default();
    let dates = [
        strings::date(&entry("CreationDate")),
        day(&property(&xmp, "xmp:CreateDate")),
        strings::date(&entry("ModDate")),
    ];
    About {
        title: choose([entry("Title"), property(&xmp, "dc:title")]),
        author: choose([entry("Author"), property(&xmp, "dc:creator")]),
        date: dates.into_iter().find(|date| !date.is_empty()).unwrap_or_default(),
        language: tag(&[language, property(&xmp, "dc:language")]),
    }
}

/// The first that says something.
fn choose(candidates: [String; 2]) -> String {
    let folded = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut folded = candidates.into_iter().map(folded);
    let best = folded.find(|text| !is_junk(text)).unwrap_or_default();
    best.chars().take(LONGEST).collect()
}

/// Whether a program gave this title, not a person.
pub(super) fn is_junk(title: &str) -> bool {
    let lower = title.to_lowercase();
    lower.chars().filter(|c| c.is_alphabetic()).count() < 2
        || JUNK.contains(&lower.as_str())
        || lower.starts_with("microsoft word - ")
        || lower.starts_with("microsoft powerpoint - ")
        || FILE_ENDS.iter().any(|end| lower.ends_with(end))
}

/// A property of XMP: its text, the members of a list with commas between them.
fn property(xmp: &str, name: &str) -> String {
    let attribute = format!("{name}=\"");
    if let Some((_, rest)) = xmp.split_once(&attribute) {
        return html::value_of(rest.split('"').next().unwrap_or_default()).into_owned();
    }
    let Some((_, rest)) = xmp.split_once(&format!("<{name}")) else { return String::new() };
    let Some((inner, _)) = rest.split_once(&format!("</{name}>")) else { return String::new() };
    let pieces = inner.split('<').filter_map(|piece| piece.split_once('>'));
    let texts = pieces.map(|(_, text)| text.trim()).filter(|text| !text.is_empty());
    let members: Vec<String> = texts.map(|text| html::value_of(text).into_owned()).collect();
    members.join(", ")
}

/// A date of XMP, which is ISO 8601 already.
fn day(date: &str) -> String {
    let digits: String = date.chars().take(10).filter(char::is_ascii_digit).collect();
    strings::date(&digits)
}

/// A language tag in lower case.
fn tag(candidates: &[String]) -> String {
    let good = |tag: &&String| {
        (2..=35).contains(&tag.len())
            && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && **tag != "x-default"
            && !tag.eq_ignore_ascii_case("x-unknown")
    };
    candidates.iter().find(good).map(|tag| tag.to_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_programs_are_no_titles() {
        let check = |title: &str, junk: bool| assert_eq!(is_junk(title), junk, "{title}");
        check("Microsoft Word - letter", true);
        check("report.doc", true);
        check("Untitled", true);
        check("", true);
        check("2024", true);
        check("A study of nets", false);
    }

    #[test]
    fn properties_of_xmp_are_found() {
        let xmp = "<x xmp:CreateDate=\"2024-03-05T10:00:00Z\"><dc:title><rdf:Alt><rdf:li \
                   xml:lang=\"x-default\">Nets &amp; traps</rdf:li></rdf:Alt></dc:title><dc:creator>\
                   <rdf:Seq><rdf:li>A. One</rdf:li><rdf:li>B. Two</rdf:li></rdf:Seq></dc:creator>";
        assert_eq!(property(xmp, "dc:title"), "Nets & traps");
        assert_eq!(property(xmp, "dc:creator"), "A. One, B. Two");
        assert_eq!(day(&property(xmp, "xmp:CreateDate")), "2024-03-05");
        assert_eq!(property(xmp, "dc:language"), "");
    }
}
