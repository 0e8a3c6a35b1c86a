//! Attributes of a start tag by the WHATWG tokenizer's rules: quoted, unquoted, without value.

/// One attribute at `at`: where its name and value lie, and where the next begins.
struct Span {
    name: (usize, usize),
    value: (usize, usize),
    next: usize,
}

/// Reads the attribute at `at`. None at the closing bracket or the end; the place of the bracket
/// comes back in `Err` (the end of the bytes when there is none).
fn attribute(bytes: &[u8], mut at: usize) -> Result<Span, usize> {
    while bytes.get(at).is_some_and(|b| b.is_ascii_whitespace() || *b == b'/') {
        at += 1;
    }
    if matches!(bytes.get(at), None | Some(b'>')) {
        return Err(at);
    }
    let start = at;
    at += 1; // a leading "=" belongs to the name
    while bytes
        .get(at)
        .is_some_and(|b| !b.is_ascii_whitespace() && !matches!(b, b'/' | b'>' | b'='))
    {
        at += 1;
    }
    let name = (start, at);
    let mut equals = at;
    while bytes.get(equals).is_some_and(u8::is_ascii_whitespace) {
        equals += 1;
    }
    if bytes.get(equals) != Some(&b'=') {
        return Ok(Span { name, value: (at, at), next: equals });
    }
    at = equals + 1;
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    Ok(match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) => {
            let start = at + 1;
            let end = memchr::memchr(quote, &bytes[start..]).map_or(bytes.len(), |n| start + n);
            Span { name, value: (start, end), next: (end + 1).min(bytes.len()) }
        }
        _ => {
            let rest = &bytes[at..];
            let ends = |b: &u8| b.is_ascii_whitespace() || *b == b'>';
            let end = at + rest.iter().position(ends).unwrap_or(rest.len());
            Span { name, value: (at, end), next: end }
        }
    })
}

/// Where the bracket stands that closes the tag whose attributes begin at `at`.
pub(super) fn end_of_tag(bytes: &[u8], mut at: usize) -> Option<usize> {
    if bytes.get(at) == Some(&b'>') {
        return Some(at);
    }
    if let Some(end) = quick_end(bytes, at) {
        return Some(end);
    }
    loop {
        match attribute(bytes, at) {
            Ok(span) => at = span.next,
            Err(end) => return (end < bytes.len()).then_some(end),
        }
    }
}

/// The bracket that closes a tag in which every quote stands where a value begins, as in
/// `name="value"`; none when one stands elsewhere, so that attributes must be read one by one.
fn quick_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let found = at + memchr::memchr3(b'>', b'"', b'\'', bytes.get(at..)?)?;
        let quote = bytes[found];
        if quote == b'>' {
            return Some(found);
        }
        let name = bytes[at..found].strip_suffix(b"=")?;
        let start = name.iter().rposition(u8::is_ascii_whitespace).map_or(0, |gap| gap + 1);
        let (before, name) = name.split_at(start);
        // No name, or what may be a value without quotes: not so simple.
        let is_value = name.iter().any(|b| matches!(b, b'=' | b'/'))
            || before.trim_ascii_end().ends_with(b"=");
        if name.is_empty() || is_value {
            return None;
        }
        at = found + 1 + memchr::memchr(quote, &bytes[found + 1..])? + 1;
    }
}

/// The attributes of a tag, names and values as written.
#[derive(Clone, Debug)]
pub(crate) struct Attributes<'a> {
    inside: &'a str,
    at: usize,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(inside: &'a str) -> Attributes<'a> {
        Attributes { inside, at: 0 }
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        let span = attribute(self.inside.as_bytes(), self.at).ok()?;
        self.at = span.next;
        Some((
            self.inside.get(span.name.0..span.name.1)?,
            self.inside.get(span.value.0..span.value.1)?,
        ))
    }
}
