//! The shape of a URL: its path with numbers and slugs blanked, and the names of its parameters. What a server makes
//! by one rule has one shape: the days of a calendar, the topics of a forum, the facets of a shop (000
//! "Malicious pages": traps are spaces of URLs, not URLs).

use super::Url;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Names of parameters that carry a date or a part of one; a number there stands for a date.
const DATE_PARAMETERS: [&str; 13] = [
    "date", "day", "month", "year", "week", "y", "yr", "ym", "ymd", "cal", "calendar", "mon",
    "when",
];
/// Letters and digits together from this length on are an id, not a word.
const LONG_ID: usize = 16;

impl Url {
    /// Its shape, for people: `/diary/#-#-#`, `/#/#/*`, `/list?colour&size`.
    #[must_use]
    pub fn shape(&self) -> String {
        let whole = self.path_and_query();
        let (path, query) = whole.split_once('?').unwrap_or((whole, ""));
        let mut shape = String::with_capacity(whole.len());
        for (at, segment) in path.split('/').enumerate() {
            if at > 0 {
                shape.push('/');
            }
            push_segment(&mut shape, segment);
        }
        let names = query.split('&').map(name_of).filter(|name| !name.is_empty());
        let mut names: Vec<String> = names.map(blanked).collect();
        names.sort_unstable();
        names.dedup();
        for (at, name) in names.iter().enumerate() {
            shape.push(if at == 0 { '?' } else { '&' });
            shape.push_str(name);
        }
        shape
    }

    /// The key of its shape among those of its host, with TLS or without; none when it has nothing that could
    /// take another value: such a shape is one URL.
    #[must_use]
    pub fn shape_key(&self) -> Option<u64> {
        let shape = self.shape();
        let is_variable = shape.contains(['#', '*', '?']);
        is_variable.then(|| xxh3_64_with_seed(shape.as_bytes(), u64::from(self.is_https())))
    }

    /// Whether it stands for a date, as the pages of calendars, diaries and archives do.
    #[must_use]
    pub fn is_dated(&self) -> bool {
        let whole = self.path_and_query();
        if !whole.bytes().any(|byte| byte.is_ascii_digit()) {
            return false;
        }
        let (path, query) = whole.split_once('?').unwrap_or((whole, ""));
        let mut is_after_year = false;
        for segment in path.split('/') {
            if is_date(segment) || is_after_year && is_day_or_month(segment) {
                return true;
            }
            is_after_year = segment.len() == 4 && is_year(segment);
        }
        let parameters = query.split('&').filter_map(|parameter| parameter.split_once('='));
        parameters.into_iter().any(|(name, value)| {
            let is_named = DATE_PARAMETERS.iter().any(|known| name.eq_ignore_ascii_case(known));
            is_date(value) || is_named && value.bytes().any(|byte| byte.is_ascii_digit())
        })
    }
}

fn name_of(parameter: &str) -> &str {
    &parameter[..parameter.find('=').unwrap_or(parameter.len())]
}

/// A segment of a path: an id in brackets and a slug of several words are blanked, of the rest the numbers.
fn push_segment(shape: &mut String, segment: &str) {
    let (stem, extension) = match segment.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 5 => (stem, extension),
        _ => (segment, ""),
    };
    let has_letters = stem.bytes().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    let is_slug = has_letters && (stem.contains(['-', '_', '+', '%', '(', ',']) || is_id(stem));
    match is_slug {
        true => shape.push('*'),
        false => push_blanked(shape, stem),
    }
    if !extension.is_empty() {
        shape.push('.');
        push_blanked(shape, extension);
    }
}

fn blanked(name: &str) -> String {
    let mut blanked = String::with_capacity(name.len());
    push_blanked(&mut blanked, name);
    blanked
}

/// A text with `#` for each number in it.
fn push_blanked(shape: &mut String, text: &str) {
    let mut is_number = false;
    for c in text.chars() {
        let digit = c.is_ascii_digit();
        match (digit, is_number) {
            (true, false) => shape.push('#'),
            (true, true) => {}
            (false, _) => shape.push(c),
        }
        is_number = digit;
    }
}

/// Letters and digits mixed, and more of them than a word has.
fn is_id(text: &str) -> bool {
    text.len() >= LONG_ID
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// "2031-05", "2031-05-12T08:00", "2031-W05", "20310512".
fn is_date(text: &str) -> bool {
    let Some((_, rest)) = text.split_at_checked(4).filter(|(year, _)| is_year(year)) else {
        return false;
    };
    match rest.strip_prefix(['-', '.', '_']) {
        Some(rest) => {
            let month = rest.trim_start_matches(['W', 'w']).split(['-', '.', '_', 'T']).next();
            month.is_some_and(is_day_or_month)
        }
        None => {
            let is_part = |part: Option<&str>| part.is_some_and(is_day_or_month);
            rest.len() == 4 && is_part(rest.get(..2)) && is_part(rest.get(2..))
        }
    }
}

fn is_year(text: &str) -> bool {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number && matches!(text.as_bytes().first(), Some(b'1' | b'2'))
}

/// A day, a month or a week.
fn is_day_or_month(text: &str) -> bool {
    text.len() <= 2 && text.parse::<u8>().is_ok_and(|number| (1..=53).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse(&format!("http://a.test{path}")).expect("a URL")
    }

    #[test]
    fn what_a_server_makes_by_one_rule_has_one_shape() {
        for (path, shape) in [
            ("/", "/"),
            ("/about", "/about"),
            ("/about/", "/about/"),
            ("/diary/2010-01-01", "/diary/#-#-#"),
            ("/1998/01/02/", "/#/#/#/"),
            ("/2009/05/12/a-walk-in-the-rain", "/#/#/#/*"),
            ("/t/some-topic/4521/2", "/t/*/#/#"),
            ("/wiki/Tide_mill", "/wiki/*"),
            ("/(S(x3k5))/list.aspx", "/*/list.aspx"),
            ("/room12.html", "/room#.html"),
            ("/f/0cc175b9c0f1b6a831c399e269772661", "/f/*"),
            ("/list?size=2&colour=red&size=3", "/list?colour&size"),
            ("/list?f1=a&f2=b", "/list?f#"),
            ("/list?", "/list"),
            ("/%C3%A9t%C3%A9", "/*"),
        ] {
            assert_eq!(url(path).shape(), shape, "{path}");
        }
        assert_eq!(url("/about").shape_key(), None);
        assert_eq!(url("/d/1").shape_key(), url("/d/22").shape_key());
        let secure = Url::parse("https://a.test/d/1").expect("a URL");
        assert_ne!(url("/d/1").shape_key(), secure.shape_key());
    }

    #[test]
    fn a_date_is_known_where_one_stands() {
        for (path, expected) in [
            ("/2024/01", true),
            ("/2024/01/a-story", true),
            ("/cal/2024-01-02/", true),
            ("/cal/2024-W07", true),
            ("/cal?month=2024-01", true),
            ("/cal?date=20261118&view=week", true),
            ("/cal?y=1999", true),
            ("/cal?day=7&month=4", true),
            ("/2024", false),
            ("/list?start=2000", false),
            ("/list?from=5000-10000", false),
            ("/item/20269999", false),
            ("/forum/1234/567", false),
            ("/models/9000/12v", false),
            ("/2024/story", false),
            ("/ä024/01", false),
        ] {
            assert_eq!(url(path).is_dated(), expected, "{path}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_url_is_without_a_shape(path in "[/a-z0-9?&=;%.()-]{0,60}", other in ".{0,30}") {
            if let Ok(url) = Url::parse(&format!("http://a.test/{path}{other}")) {
                proptest::prop_assert!(url.shape().len() <= url.path_and_query().len());
                let _ = (url.shape_key(), url.is_dated());
            }
        }
    }
}
