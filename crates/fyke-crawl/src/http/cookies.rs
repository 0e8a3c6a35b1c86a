//! Cookies of one run, in memory alone (RFC 6265, without its domains): each goes back to the host that set it and to no
//! other. Servers that want one before they give a page get it; few and small ones are kept. A jar of an account has
//! room for those that were brought along, too.

use crate::control::lock;
use crate::credentials::AccountCookie;
use crate::politeness::http_date;
use fyke_web::Url;
use std::collections::HashMap;
use std::sync::Mutex;

/// Cookies of one host, the bytes of their names and values, and hosts.
const MOST_COOKIES: usize = 20;
const MOST_BYTES: usize = 4096;
const MOST_HOSTS: usize = 10_000;

/// The cookies of all hosts.
#[derive(Debug, Default)]
pub(super) struct CookieJar {
    /// By authority.
    hosts: Mutex<HashMap<String, Vec<KeptCookie>>>,
    /// Those brought along, and their bytes.
    brought: [usize; 2],
}

#[derive(Debug, PartialEq, Eq)]
struct KeptCookie {
    name: String,
    value: String,
    path: String,
    is_secure: bool,
}

impl CookieJar {
    /// With cookies brought along for a host.
    pub(super) fn with(authority: &str, brought: &[AccountCookie]) -> CookieJar {
        let kept = |cookie: &AccountCookie| KeptCookie {
            name: cookie.name.clone(),
            value: cookie.value.reveal().to_owned(),
            path: cookie.path.clone(),
            is_secure: false,
        };
        let kept: Vec<KeptCookie> = brought.iter().map(kept).collect();
        let brought = [kept.len(), kept.iter().map(KeptCookie::bytes).sum()];
        CookieJar { hosts: Mutex::new([(authority.to_owned(), kept)].into()), brought }
    }

    /// Whether nothing is kept.
    pub(super) fn is_empty(&self) -> bool {
        lock(&self.hosts).values().all(Vec::is_empty)
    }

    /// What to send with a request, if anything.
    pub(super) fn header(&self, url: &Url) -> Option<String> {
        let hosts = lock(&self.hosts);
        let is_sent = |cookie: &&KeptCookie| {
            covers(&cookie.path, url.path()) && (!cookie.is_secure || url.scheme() == "https")
        };
        let sent = hosts.get(url.authority())?.iter().filter(is_sent);
        let sent: Vec<String> = sent.map(|c| format!("{}={}", c.name, c.value)).collect();
        (!sent.is_empty()).then(|| sent.join("; "))
    }

    /// Takes in what an answer sets.
    pub(super) fn keep(&self, url: &Url, headers: &[(String, String)], now: i64) {
        let set = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
        for (cookie, is_over) in set.filter_map(|(_, value)| read(url, value, now)) {
            let mut hosts = lock(&self.hosts);
            if !hosts.contains_key(url.authority()) && hosts.len() >= MOST_HOSTS {
                return;
            }
            let kept = hosts.entry(url.authority().to_owned()).or_default();
            kept.retain(|known| known.name != cookie.name || known.path != cookie.path);
            let bytes: usize = kept.iter().chain([&cookie]).map(KeptCookie::bytes).sum();
            let [more, more_bytes] = self.brought;
            let fits = kept.len() < MOST_COOKIES + more && bytes <= MOST_BYTES + more_bytes;
            if !is_over && fits {
                kept.push(cookie);
            }
        }
    }
}

impl KeptCookie {
    fn bytes(&self) -> usize {
        self.name.len() + self.value.len()
    }
}

/// Whether a cookie of this path goes with a request for that one.
fn covers(path: &str, asked: &str) -> bool {
    asked
        .strip_prefix(path)
        .is_some_and(|rest| rest.is_empty() || path.ends_with('/') || rest.starts_with('/'))
}

/// The cookie of a `Set-Cookie` header, and whether it is over already; none when it is not for this host, or no header
/// could carry it back.
fn read(url: &Url, header: &str, now: i64) -> Option<(KeptCookie, bool)> {
    let mut parts = header.split(';').map(str::trim);
    let (name, value) = parts.next()?.split_once('=')?;
    let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
    let is_plain = |text: &str| text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if name.is_empty() || !is_plain(&name) || !is_plain(&value) {
        return None;
    }
    let directory = &url.path()[..url.path().rfind('/').unwrap_or(0)];
    let path = if directory.is_empty() { "/" } else { directory }.to_owned();
    let mut cookie = KeptCookie { name, value, path, is_secure: false };
    let (mut age, mut expires) = (None, None);
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match key.trim().to_ascii_lowercase().as_str() {
            "domain" if !is_within(url.host(), value.trim()) => return None,
            "path" if value.trim().starts_with('/') => cookie.path = value.trim().to_owned(),
            "secure" => cookie.is_secure = true,
            "max-age" => age = value.trim().parse::<i64>().ok(),
            "expires" => expires = http_date(value.trim()),
            _ => {}
        }
    }
    if cookie.is_secure && url.scheme() != "https" {
        return None;
    }
    let now = u64::try_from(now).unwrap_or(0);
    let is_over = age.map_or(expires.is_some_and(|end| end <= now), |age| age <= 0);
    Some((cookie, is_over))
}

/// Whether a host lies in the domain that a cookie names.
fn is_within(host: &str, domain: &str) -> bool {
    let domain = domain.trim_start_matches('.').to_ascii_lowercase();
    let rest = host.strip_suffix(&domain);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000_000;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    /// What goes to `asked` after `from` has set these.
    fn check(from: &str, set: &[&str], asked: &str, expected: Option<&str>) {
        let jar = CookieJar::default();
        let headers: Vec<_> =
            set.iter().map(|value| ("Set-Cookie".to_owned(), (*value).to_owned())).collect();
        jar.keep(&url(from), &headers, NOW);
        assert_eq!(jar.header(&url(asked)).as_deref(), expected, "{set:?} of {from} for {asked}");
    }

    #[test]
    fn a_cookie_goes_back_to_its_host_and_path_and_nowhere_else() {
        let home = "http://a.test/";
        check(home, &["s=1"], "http://a.test/x", Some("s=1"));
        check(home, &["s=1"], "https://a.test/x", Some("s=1"));
        check(home, &["s=1", "t=2; HttpOnly"], home, Some("s=1; t=2"));
        check(home, &["s=1", "s=2"], home, Some("s=2"));
        check(home, &["s=1; Domain=test"], "http://b.test/", None);
        check("http://www.a.test/", &["s=1; Domain=.a.test"], "http://www.a.test/", Some("s=1"));
        check("http://www.a.test/", &["s=1; Domain=.a.test"], home, None);
        check(home, &["s=1; Domain=b.test"], home, None);
        check(home, &["s=1"], "http://a.test:81/", None);
        check("http://a.test/x/y", &["s=1"], "http://a.test/x/z", Some("s=1"));
        check("http://a.test/x/y", &["s=1"], home, None);
        check(home, &["s=1; path=/x"], "http://a.test/xy", None);
        check(home, &["s=1; Secure"], "https://a.test/", None);
        check("https://a.test/", &["s=1; Secure"], home, None);
        check("https://a.test/", &["s=1; Secure"], "https://a.test/", Some("s=1"));
    }

    #[test]
    fn what_is_over_too_much_or_no_header_is_not_kept() {
        let home = "http://a.test/";
        check(home, &["s=1", "s=; Max-Age=0"], home, None);
        check(home, &["s=1", "s=; Expires=Thu, 01 Jan 1970 00:00:01 GMT"], home, None);
        check(home, &["s=1; Expires=Thu, 01 Jan 2099 00:00:01 GMT"], home, Some("s=1"));
        check(home, &["=1", "s", "", "s=a\u{7}b"], home, None);
        check(home, &[&format!("s={}", "x".repeat(MOST_BYTES))], home, None);
        let many: Vec<String> = (0..2 * MOST_COOKIES).map(|n| format!("c{n}=1")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let kept = many[..MOST_COOKIES].join("; ");
        check(home, &many, home, Some(&kept));
    }
}
