//! Files of texts whose fields are tagged, as `<title> Fishing by Night +L+ </title>`: what is learnt from. In a
//! file of headers each begins with `<NEW_HEADER>` and `+L+` ends a line; in a file of references each is a line.

/// Ends a line of a header.
pub const LINE: &str = "+L+";
/// Stands where the first page ends.
pub const PAGE: &str = "+PAGE+";
const NEW_HEADER: &str = "NEW_HEADER";
/// Bytes of a tag's name at most.
const LONGEST_TAG: usize = 24;

/// A header or a reference: its words as they are written, each with its field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaggedText<'a> {
    pub words: Vec<&'a str>,
    /// For each word the name of its field.
    pub fields: Vec<&'a str>,
}

impl<'a> TaggedText<'a> {
    fn add(&mut self, words: &'a str, field: &'a str) {
        for word in words.split_whitespace() {
            self.words.push(word);
            self.fields.push(field);
        }
    }
}

/// The headers of a file.
#[must_use]
pub fn headers(file: &str) -> Vec<TaggedText<'_>> {
    let mut headers = Vec::new();
    for part in file.split("<NEW_HEADER>").skip(1) {
        headers.push(read(part));
    }
    headers
}

/// The references of a file; lines without a field are none.
#[must_use]
pub fn references(file: &str) -> Vec<TaggedText<'_>> {
    file.lines().map(read).filter(|text| !text.words.is_empty()).collect()
}

/// Whether a file holds headers.
#[must_use]
pub fn holds_headers(file: &str) -> bool {
    file.contains(NEW_HEADER)
}

/// Words stand between a tag and the one that closes it; between fields there are none.
fn read(text: &str) -> TaggedText<'_> {
    let mut found = TaggedText::default();
    let mut field = "";
    let mut rest = text;
    loop {
        let BeforeTag { words, tag, behind } = until_tag(rest);
        if !field.is_empty() {
            found.add(words, field);
        }
        match tag {
            None => return found,
            Some(tag) if tag.starts_with('/') => field = "",
            Some("br") => {}
            Some(tag) => field = tag,
        }
        rest = behind;
    }
}

/// A text up to its next tag.
struct BeforeTag<'a> {
    words: &'a str,
    /// Without its angles; none at the end of the text.
    tag: Option<&'a str>,
    behind: &'a str,
}

fn until_tag(text: &str) -> BeforeTag<'_> {
    for (open, _) in text.match_indices('<') {
        let inner = &text[open + 1..];
        let end = inner.bytes().take(LONGEST_TAG).position(|byte| byte == b'>');
        let Some(end) = end else { continue };
        let tag = &inner[..end];
        let name = tag.strip_prefix('/').unwrap_or(tag);
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase()) {
            let (words, behind) = (&text[..open], &inner[end + 1..]);
            return BeforeTag { words, tag: Some(tag), behind };
        }
    }
    BeforeTag { words: text, tag: None, behind: "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_have_the_field_that_they_stand_in() {
        let file = "\u{FEFF}<NEW_HEADER>\n<title> Nets +L+\n\nat a < b </title> +L+ <author> A. Fisher </author>\n<NEW_HEADER>";
        let found = headers(file);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].words.join(" "), "Nets +L+ at a < b A. Fisher");
        assert_eq!(
            found[0].fields,
            ["title", "title", "title", "title", "title", "title", "author", "author"]
        );
        assert!(holds_headers(file) && found[1].words.is_empty());
    }

    #[test]
    fn a_line_is_a_reference() {
        let found =
            references("<author> A. Fisher. </author> <date> 1999. </date> <br>\n\nno reference\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].words, ["A.", "Fisher.", "1999."]);
        assert_eq!(found[0].fields, ["author", "author", "date"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[<>/a-z é+L]{0,60}") {
            let found = read(&text);
            prop_assert_eq!(found.words.len(), found.fields.len());
            let _ = (headers(&text), references(&text));
        }
    }
}
