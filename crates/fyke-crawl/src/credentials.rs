//! Credentials of hosts (003 §3.2.5 "private sites"): what the program may show of itself, and to whom. A secret is
//! never printed; who it is for is one host, by its exact name and port, over TLS or on this machine.

use fyke_web::Url;
use std::collections::BTreeMap;
use std::fmt;

/// Bytes of all cookies of one host: a header of twice as much is refused by most servers.
const MOST_COOKIE_BYTES: usize = 8192;

/// A text that is shown to nobody but its host.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A secret that a header or a form can carry.
    ///
    /// # Errors
    /// In words, without the secret, when none can.
    pub fn new(text: impl Into<String>) -> Result<Secret, &'static str> {
        let text = text.into();
        match text.is_empty() || text.chars().any(char::is_control) {
            true => Err("is empty, or has a character that cannot be sent (a line break?)"),
            false => Ok(Secret(text)),
        }
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// How a host knows us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostAccount {
    /// The value of `Authorization`.
    Header(Secret),
    Cookies(Vec<AccountCookie>),
    Login(LoginRecipe),
}

/// A cookie that somebody has brought along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountCookie {
    pub name: String,
    pub value: Secret,
    pub path: String,
}

/// A form that is sent once before the first page, by the only POST there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginRecipe {
    /// Where it is sent to; on the host itself.
    pub url: Url,
    /// Where the form stands: its hidden fields are sent along.
    pub page: Url,
    pub fields: Vec<LoginField>,
}

/// A field that is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginField {
    pub name: String,
    pub value: Secret,
}

/// The accounts of all hosts, by authority ("a.test", "a.test:8080").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    hosts: BTreeMap<String, HostAccount>,
}

impl Credentials {
    /// Takes in the account of a host.
    pub fn add(&mut self, authority: &str, account: HostAccount) {
        self.hosts.insert(authority.to_owned(), account);
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// Whether a URL's host has an account: what comes from there is private.
    #[must_use]
    pub fn are_for(&self, url: &Url) -> bool {
        !self.hosts.is_empty() && self.hosts.contains_key(url.authority())
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = (&String, &HostAccount)> {
        self.hosts.iter()
    }
}

/// The value of `Authorization` for a name and a password (RFC 7617).
///
/// # Errors
/// When no header can carry it.
pub fn basic(user: &str, password: &Secret) -> Result<Secret, &'static str> {
    if user.contains(':') {
        return Err("a user's name cannot have a colon in it");
    }
    Secret::new(format!("Basic {}", base64(format!("{user}:{}", password.reveal()).as_bytes())))
}

/// The value of `Authorization` for a token (RFC 6750).
///
/// # Errors
/// When no header can carry it.
pub fn bearer(token: &Secret) -> Result<Secret, &'static str> {
    match token.reveal().is_ascii() {
        true => Secret::new(format!("Bearer {}", token.reveal())),
        false => Err("has a character that no token has"),
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let at = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place > three.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

/// The cookies of a `cookies.txt` (one to a line: domain, whether its subdomains are meant, path, whether TLS is wanted,
/// end in seconds since 1970 or 0, name, value) that go to this host and are not over at `now`.
///
/// # Errors
/// In words, without a value, when a line is none or no cookie is left.
pub fn cookies_of(text: &str, host: &str, now: i64) -> Result<Vec<AccountCookie>, String> {
    let (mut cookies, mut bytes) = (Vec::new(), 0);
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_end_matches('\r');
        let line = line.strip_prefix("#HttpOnly_").unwrap_or(line);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |what: &str| format!("line {}: {what}", number + 1);
        let parts: Vec<&str> = line.split('\t').collect();
        let [domain, subdomains, path, _, end, name, value] = parts.as_slice() else {
            return Err(wrong("a cookie has seven fields with a tab between each two"));
        };
        let end: i64 = end.trim().parse().map_err(|_| wrong("its end is no number"))?;
        let is_over = end != 0 && end.saturating_mul(1000) <= now;
        if is_over || !is_for(domain, *subdomains == "TRUE", host) {
            continue;
        }
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic() && b != b';');
        let is_value = value.bytes().all(|b| (b' '..=b'~').contains(&b) && b != b';');
        let value = Secret::new(*value).map_err(|what| wrong(&format!("its value {what}")))?;
        if !is_name || !is_value {
            return Err(wrong("no header can carry it"));
        }
        bytes += name.len() + value.reveal().len() + 3;
        let path = if path.starts_with('/') { *path } else { "/" }.to_owned();
        cookies.push(AccountCookie { name: (*name).to_owned(), value, path });
    }
    match cookies.is_empty() {
        true => Err(format!("no cookie in it is for {host}, or all of them are over")),
        false if bytes > MOST_COOKIE_BYTES => {
            Err(format!("the cookies for {host} are longer than {MOST_COOKIE_BYTES} bytes"))
        }
        false => Ok(cookies),
    }
}

fn is_for(domain: &str, subdomains: bool, host: &str) -> bool {
    let name = domain.trim_start_matches('.').to_ascii_lowercase();
    let is_wide = subdomains || domain.starts_with('.');
    let below = || host.strip_suffix(&name).is_some_and(|rest| rest.ends_with('.'));
    !name.is_empty() && (name == host || is_wide && below())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_secret_is_not_printed() {
        let secret = Secret::new("hush").expect("a secret");
        let header = basic("ann", &secret).expect("a header");
        assert_eq!(header.reveal(), "Basic YW5uOmh1c2g=");
        assert_eq!(bearer(&secret).expect("a header").reveal(), "Bearer hush");
        let mut credentials = Credentials::default();
        credentials.add("a.test", HostAccount::Header(header));
        let shown = format!("{secret:?} {credentials:?}");
        assert!(!shown.contains("hush") && !shown.contains("YW5u"), "{shown}");
        for wrong in ["", "a\nb", "a\u{7f}"] {
            assert!(Secret::new(wrong).is_err(), "{wrong:?}");
        }
        assert!(basic("a:b", &secret).is_err());
    }

    #[test]
    fn names_and_passwords_are_written_as_the_standard_says() {
        // RFC 4648 §10.
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), coded, "{plain}");
        }
    }

    #[test]
    fn an_account_is_for_one_host_and_port() {
        let mut credentials = Credentials::default();
        let account = || HostAccount::Cookies(Vec::new());
        credentials.add("a.test", account());
        credentials.add("b.test:81", account());
        let are_for = |url: &str| credentials.are_for(&Url::parse(url).expect("a URL"));
        assert!(are_for("https://a.test/x") && are_for("http://b.test:81/"));
        for other in ["https://www.a.test/", "https://a.test:81/", "http://b.test/"] {
            assert!(!are_for(other), "{other}");
        }
    }

    #[test]
    fn of_a_file_of_cookies_those_of_the_host_are_read() {
        let file = "# Netscape HTTP Cookie File\n\n\
            a.test\tFALSE\t/\tTRUE\t0\tone\t1\n\
            #HttpOnly_.a.test\tTRUE\t/x\tTRUE\t4000000000\ttwo\t2 2\r\n\
            www.a.test\tFALSE\t/\tTRUE\t0\tthree\t3\n\
            a.test\tFALSE\t/\tTRUE\t100\told\t4\n\
            b.test\tTRUE\t/\tTRUE\t0\tother\t5\n";
        let check = |host: &str, expected: &[&str]| {
            let found = cookies_of(file, host, 1_700_000_000_000).expect("cookies");
            let names: Vec<_> = found.iter().map(|cookie| cookie.name.as_str()).collect();
            assert_eq!(names, expected, "{host}");
        };
        check("a.test", &["one", "two"]);
        check("www.a.test", &["two", "three"]);
        check("x.b.test", &["other"]);
        let error = |text: &str| cookies_of(text, "a.test", 0).expect_err("no cookies");
        assert_eq!(error(""), "no cookie in it is for a.test, or all of them are over");
        let told = error("a.test\tFALSE\t/\tTRUE\t0\tname=hush\n");
        assert_eq!(told, "line 1: a cookie has seven fields with a tab between each two");
        assert!(error("a.test\tF\t/\tF\tsoon\tn\thush").contains("line 1: its end is no number"));
        assert!(error(&format!("a.test\tF\t/\tF\t0\tn\t{}", "x".repeat(9000))).contains("8192"));
    }

    proptest! {
        #[test]
        fn any_file_of_cookies_is_read(text in "([a.]|test|\\t|TRUE|/|0|=|\\n|\\PC){0,80}") {
            if let Ok(cookies) = cookies_of(&text, "a.test", 0) {
                prop_assert!(cookies.iter().all(|cookie| !cookie.name.is_empty()));
            }
        }
    }
}
