//! robots.txt by RFC 9309: groups merged, longest match, `*` and `$`, Crawl-delay (000
//! "robots.txt"). As lenient about spelling as the large crawlers are. An HTML page served in its
//! place has no line that begins with "User-agent:", so it gives no rules.

mod pattern;
mod status;

pub use status::RobotsStatus;

use encoding_rs::{UTF_16BE, UTF_16LE};
use pattern::Pattern;
use std::borrow::Cow;
use std::time::Duration;

/// What is read of a file; RFC 9309 asks for 500 KiB at least.
const MOST_BYTES: usize = 500 * 1_024;
/// What is read of a line: no rule is longer than a URL that anybody asks for. Google reads as much.
const MOST_LINE: usize = 8 * 2_083 - 1;
/// No Crawl-delay holds a host for longer.
const MOST_DELAY: f64 = 86_400.0;
/// Sitemap lines kept.
const MOST_SITEMAPS: usize = 1_000;

/// The rules one robots.txt gives to one agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Robots {
    /// The strongest rule first: by length, then Allow before Disallow.
    rules: Vec<RobotsRule>,
    /// Crawl-delay of the group that binds the agent.
    pub crawl_delay: Option<Duration>,
    /// Sitemap lines (they belong to no group), as written.
    pub sitemaps: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct RobotsRule {
    allow: bool,
    pattern: Pattern,
    written: String,
    line: usize,
}

/// A decision and the line of robots.txt it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsVerdict {
    pub allowed: bool,
    /// The rule as written ("Disallow: /tmp/"), none when no rule matches.
    pub rule: Option<String>,
    /// Its line, from 1.
    pub line: Option<usize>,
}

/// The merged groups of one name: the agent's own, or those of `*`.
#[derive(Default)]
struct AgentGroup {
    /// The group exists, even if it holds no rule.
    seen: bool,
    /// The lines now read belong to it.
    open: bool,
    rules: Vec<RobotsRule>,
    delay: Option<f64>,
}

#[derive(Clone, Copy)]
enum RobotsKey {
    Agent,
    Allow,
    Disallow,
    Delay,
    Sitemap,
}

/// How a line may begin; the first row that is a prefix of the line's key wins.
const KEYS: &[(&str, RobotsKey)] = &[
    ("user-agent", RobotsKey::Agent),
    ("useragent", RobotsKey::Agent),
    ("user agent", RobotsKey::Agent),
    ("allow", RobotsKey::Allow),
    ("disallow", RobotsKey::Disallow),
    ("dissallow", RobotsKey::Disallow),
    ("dissalow", RobotsKey::Disallow),
    ("disalow", RobotsKey::Disallow),
    ("diasllow", RobotsKey::Disallow),
    ("disallaw", RobotsKey::Disallow),
    ("crawl-delay", RobotsKey::Delay),
    ("crawldelay", RobotsKey::Delay),
    ("crawl delay", RobotsKey::Delay),
    ("sitemap", RobotsKey::Sitemap),
    ("site-map", RobotsKey::Sitemap),
];

impl Robots {
    /// Reads the first 500 KiB of `text` for the product token `agent` ("fyke").
    #[must_use]
    pub fn parse(text: &[u8], agent: &str) -> Robots {
        // A name of several words is nobody's: no group is its own.
        let is_name = !agent.trim().contains(char::is_whitespace);
        let agent = if is_name { product(agent.as_bytes()) } else { &[] };
        let mut own = AgentGroup::default();
        let mut any = AgentGroup::default();
        let mut sitemaps = Vec::new();
        let mut in_rules = false;
        let text = in_utf8(text);
        for (line, text) in lines(head(&text)) {
            let Some((key, value)) = key_and_value(text) else { continue };
            match key {
                RobotsKey::Agent => {
                    if in_rules {
                        (own.open, any.open, in_rules) = (false, false, false);
                    }
                    own.enter(!agent.is_empty() && product(value).eq_ignore_ascii_case(agent));
                    any.enter(names_all(value));
                }
                RobotsKey::Allow | RobotsKey::Disallow => {
                    // A rule ends the list of agents; the next User-agent opens a new group.
                    in_rules = own.open || any.open;
                    let allow = matches!(key, RobotsKey::Allow);
                    own.rule(allow, value, line);
                    any.rule(allow, value, line);
                }
                RobotsKey::Delay => {
                    own.delay(value);
                    any.delay(value);
                }
                RobotsKey::Sitemap if sitemaps.len() < MOST_SITEMAPS && !value.is_empty() => {
                    sitemaps.push(String::from_utf8_lossy(value).into_owned());
                }
                RobotsKey::Sitemap => {}
            }
        }
        let AgentGroup { mut rules, delay, .. } = if own.seen { own } else { any };
        rules.sort_by_key(|rule| (std::cmp::Reverse(rule.pattern.octets()), !rule.allow));
        Robots { rules, crawl_delay: delay.map(Duration::from_secs_f64), sitemaps }
    }

    /// About how many bytes of memory it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        let rule =
            |rule: &RobotsRule| size_of::<RobotsRule>() + rule.written.len() + rule.pattern.size();
        let line = |line: &String| size_of::<String>() + line.len();
        let rules: usize = self.rules.iter().map(rule).sum();
        size_of::<Robots>() + rules + self.sitemaps.iter().map(line).sum::<usize>()
    }

    /// Whether `path_and_query` may be fetched. `/robots.txt` itself always may.
    #[must_use]
    pub fn check(&self, path_and_query: &str) -> RobotsVerdict {
        if path_and_query == "/robots.txt" || self.rules.is_empty() {
            return RobotsVerdict { allowed: true, rule: None, line: None };
        }
        let path = pattern::canonical_path(path_and_query);
        match self.rules.iter().find(|rule| rule.pattern.matches(&path)) {
            None => RobotsVerdict { allowed: true, rule: None, line: None },
            Some(rule) => {
                let key = if rule.allow { "Allow" } else { "Disallow" };
                let written = format!("{key}: {}", rule.written);
                RobotsVerdict { allowed: rule.allow, rule: Some(written), line: Some(rule.line) }
            }
        }
    }
}

impl AgentGroup {
    fn enter(&mut self, named: bool) {
        self.open |= named;
        self.seen |= named;
    }

    fn rule(&mut self, allow: bool, value: &[u8], line: usize) {
        // An empty value states nothing: "Disallow:" allows all, as no rule does.
        if self.open && !value.is_empty() {
            let written = String::from_utf8_lossy(value).into_owned();
            if let Some(folder) = folder(value).filter(|_| allow) {
                let pattern = Pattern::new(&[folder, b"$"].concat());
                self.rules.push(RobotsRule { allow, pattern, written: written.clone(), line });
            }
            self.rules.push(RobotsRule { allow, pattern: Pattern::new(value), written, line });
        }
    }

    /// The longest delay wins when a group states several.
    fn delay(&mut self, value: &[u8]) {
        let digits = value.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
        let number = std::str::from_utf8(&value[..digits]).ok().and_then(|v| v.parse::<f64>().ok());
        if let Some(seconds) = number.filter(|s| self.open && s.is_finite()) {
            let seconds = seconds.min(MOST_DELAY);
            self.delay = Some(self.delay.map_or(seconds, |d| d.max(seconds)));
        }
    }
}

/// The folder whose index a rule names ("/a/" of "/a/index.html"): whoever allows the one means the other, as Google
/// reads it.
fn folder(value: &[u8]) -> Option<&[u8]> {
    let slash = memchr::memrchr(b'/', value)?;
    value[slash..].starts_with(b"/index.htm").then(|| &value[..=slash])
}

/// The text of a file that was saved in UTF-16, with a mark at its start or not, as UTF-8; any other as it is.
fn in_utf8(text: &[u8]) -> Cow<'_, [u8]> {
    let encoding = match text {
        [0xFF, 0xFE, ..] => UTF_16LE,
        [0xFE, 0xFF, ..] => UTF_16BE,
        [first, 0, _, 0, ..] if first.is_ascii() && *first != 0 => UTF_16LE,
        [0, first, 0, _, ..] if first.is_ascii() && *first != 0 => UTF_16BE,
        _ => return Cow::Borrowed(text),
    };
    let (decoded, ..) = encoding.decode(&text[..text.len().min(2 * MOST_BYTES)]);
    Cow::Owned(decoded.into_owned().into_bytes())
}

/// The part that is read: no BOM, and where it may have been cut, by us or by whoever read it for us,
/// it ends with a line, so that no rule is cut in two.
fn head(text: &[u8]) -> &[u8] {
    let head = match text.get(..MOST_BYTES) {
        Some(head) => &head[..memchr::memrchr2(b'\n', b'\r', head).unwrap_or(0)],
        None => text,
    };
    head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head)
}

/// Lines with their numbers from 1; CR, LF and CRLF end one.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = memchr::memchr2(b'\n', b'\r', text) else {
            rest = None;
            return Some(text);
        };
        let width = if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = Some(&text[end + width..]);
        Some(&text[..end])
    })
    .enumerate()
    .map(|(i, line)| (i + 1, line.get(..MOST_LINE).unwrap_or(line)))
}

/// "key: value" without comment; also "key value" where the colon was forgotten.
fn key_and_value(line: &[u8]) -> Option<(RobotsKey, &[u8])> {
    let line = &line[..memchr::memchr(b'#', line).unwrap_or(line.len())];
    let line = line.trim_ascii();
    let (key, value) = match memchr::memchr(b':', line) {
        Some(colon) => (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()),
        None => {
            let space = memchr::memchr2(b' ', b'\t', line)?;
            let value = line[space..].trim_ascii();
            if value.iter().any(u8::is_ascii_whitespace) {
                return None;
            }
            (&line[..space], value)
        }
    };
    let is = |prefix: &str| {
        key.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    KEYS.iter().find(|(prefix, _)| is(prefix)).map(|&(_, key)| (key, value))
}

/// The product token at the head of a User-agent value: letters, `-` and `_`.
fn product(value: &[u8]) -> &[u8] {
    let token = |b: &&u8| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_');
    &value[..value.iter().take_while(token).count()]
}

fn names_all(value: &[u8]) -> bool {
    value.first() == Some(&b'*') && value.get(1).is_none_or(u8::is_ascii_whitespace)
}
