//! `[credentials]`: how hosts know us, each a table under the host's name. What is secret stands in the environment or
//! in a file that nobody else can read, never in `fyke.toml`: settings are printed, and a secret is not.

use super::layers::LoadedSettings;
use super::rules::is_loopback;
use super::{Config, ConfigError, ValueOrigin};
use fyke_crawl::credentials::{
    AccountCookie, Credentials, HostAccount, LoginField, LoginRecipe, Secret, basic, bearer,
    cookies_of,
};
use fyke_web::Url;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The section whose keys are hosts.
pub(super) const SECTION: &str = "credentials";

/// Bytes of a file with a secret, or with cookies.
const MOST_BYTES: u64 = 1 << 20;

/// `[credentials."docs.example.org"]`: one of a name with a password, a token, a file of cookies, or a login.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CredentialKeys {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub user: String,
    /// Where the password stands: `env:NAME` or `file:PATH`; so the token.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub password: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub bearer: String,
    /// Path of a cookies.txt.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cookies: String,
    /// Where a form is sent to, and where it stands if that is another page.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub login: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub page: String,
    /// What is filled in: `env:NAME`, `file:PATH`, or `plain:TEXT` of what is no secret.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub form: BTreeMap<String, String>,
}

impl CredentialKeys {
    pub const NAMES: [&'static str; 7] =
        ["user", "password", "bearer", "cookies", "login", "page", "form"];
}

/// Where a secret stands.
#[derive(Clone, Copy)]
enum SecretPlace<'a> {
    Environment(&'a str),
    File(&'a Path),
    /// It is none.
    Plain(&'a str),
}

/// Reads where a secret stands. What is written there may be the secret itself: it is not repeated.
fn kept(value: &str) -> Result<SecretPlace<'_>, String> {
    match value.split_once(':') {
        Some(("env", name)) if !name.is_empty() => Ok(SecretPlace::Environment(name)),
        Some(("file", path)) if !path.is_empty() => Ok(SecretPlace::File(Path::new(path))),
        Some(("plain", text)) => Ok(SecretPlace::Plain(text)),
        _ => Err("write where it stands, \"env:NAME\" or \"file:PATH\", and not the secret itself"
            .to_owned()),
    }
}

/// As [`kept`], of what is always a secret.
fn kept_apart(value: &str) -> Result<SecretPlace<'_>, String> {
    match kept(value)? {
        SecretPlace::Plain(_) => {
            Err("a secret stands in the environment or in a file: write \"env:NAME\" \
                               or \"file:PATH\""
                .to_owned())
        }
        kept => Ok(kept),
    }
}

/// Refuses tables that cannot be meant, without looking for what they name.
pub(super) fn check(loaded: &LoadedSettings) -> Result<(), ConfigError> {
    for (host, keys) in &loaded.config.credentials {
        check_host(&loaded.config, host, keys).map_err(|(key, what)| {
            let name = format!("{SECTION}.{host}");
            let own = loaded.origins.get(&format!("{name}.{key}"));
            let place = own.or_else(|| loaded.origins.get(&name)).map(ValueOrigin::place);
            let place = place.unwrap_or_else(|| "default".to_owned());
            let key = if key.is_empty() { String::new() } else { format!("{key} of ") };
            ConfigError(format!("{place}: {key}[{SECTION}.{host:?}]: {what}"))
        })?;
    }
    Ok(())
}

/// Whether a text is the name of one host, as URLs have it.
pub(super) fn check_authority(host: &str) -> Result<(), &'static str> {
    let is_authority = |scheme: &str| {
        let url = Url::parse(&format!("{scheme}://{host}/"));
        url.is_ok_and(|url| url.authority() == host)
    };
    match !host.contains('*') && (is_authority("https") || is_authority("http")) {
        true => Ok(()),
        false => {
            Err("expected the name of one host in small letters, with its port if it is not the \
                      usual one, without https://")
        }
    }
}

fn check_host(
    config: &Config,
    host: &str,
    keys: &CredentialKeys,
) -> Result<(), (&'static str, String)> {
    check_authority(host).map_err(|what| ("", what.to_owned()))?;
    let ways = [&keys.password, &keys.bearer, &keys.cookies, &keys.login];
    if ways.iter().filter(|way| !way.is_empty()).count() != 1 {
        let what = "expected one of password (with user), bearer, cookies, or login (with form)";
        return Err(("", what.to_owned()));
    }
    if keys.user.is_empty() != keys.password.is_empty() {
        return Err(("user", "user and password belong together".to_owned()));
    }
    for (key, value) in [("password", &keys.password), ("bearer", &keys.bearer)] {
        if !value.is_empty() {
            kept_apart(value).map_err(|what| (key, what))?;
        }
    }
    if keys.login.is_empty() {
        let is_plain = keys.page.is_empty() && keys.form.is_empty();
        return is_plain
            .then_some(())
            .ok_or(("login", "page and form belong to a login".to_owned()));
    }
    if keys.form.is_empty() {
        let what = "a login needs its fields: form = { user = \"plain:…\", password = \"env:…\" }";
        return Err(("form", what.to_owned()));
    }
    for (name, value) in &keys.form {
        kept(value).map_err(|what| ("form", format!("the field {name:?}: {what}")))?;
    }
    recipe_urls(config, host, keys).map(|_| ())
}

/// Where the form of a login is sent to, and where it stands. A URL may hold a secret: it is not repeated.
fn recipe_urls(
    config: &Config,
    host: &str,
    keys: &CredentialKeys,
) -> Result<[Url; 2], (&'static str, String)> {
    let read = |key, text: &str| {
        let url = Url::parse(text).map_err(|_| (key, "it is no URL of the web".to_owned()))?;
        match url.authority() == host {
            false => Err((key, format!("it is not on {host}, and goes nowhere else"))),
            true if url.scheme() == "https" || is_loopback(config, &url) => Ok(url),
            true => Err((key, "it must be https: http is for this machine alone".to_owned())),
        }
    };
    let login = read("login", &keys.login)?;
    let page = if keys.page.is_empty() { login.clone() } else { read("page", &keys.page)? };
    match page.scheme() == login.scheme() {
        true => Ok([login, page]),
        false => Err(("page", "page and login must both be https".to_owned())),
    }
}

/// The accounts of all hosts, with their secrets.
///
/// # Errors
/// When a secret is not where it should be, or others could read it; the secret is never repeated.
pub(crate) fn credentials(
    config: &Config,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Credentials, ConfigError> {
    let mut credentials = Credentials::default();
    for (host, keys) in &config.credentials {
        let account = account(config, host, keys, &environment);
        let account = account
            .map_err(|(key, what)| ConfigError(format!("{key} of [{SECTION}.{host:?}]: {what}")))?;
        credentials.add(host, account);
    }
    Ok(credentials)
}

fn account(
    config: &Config,
    host: &str,
    keys: &CredentialKeys,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<HostAccount, (&'static str, String)> {
    let secret = |key, kept| secret(kept, environment).map_err(|what| (key, what));
    if !keys.password.is_empty() {
        let kept = kept_apart(&keys.password).map_err(|what| ("password", what))?;
        let header = basic(&keys.user, &secret("password", kept)?);
        return Ok(HostAccount::Header(header.map_err(|what| ("user", what.to_owned()))?));
    }
    if !keys.bearer.is_empty() {
        let kept = kept_apart(&keys.bearer).map_err(|what| ("bearer", what))?;
        let header = bearer(&secret("bearer", kept)?);
        return Ok(HostAccount::Header(header.map_err(|what| ("bearer", what.to_owned()))?));
    }
    if !keys.cookies.is_empty() {
        let cookies = cookies(Path::new(&keys.cookies), host);
        return cookies.map(HostAccount::Cookies).map_err(|what| ("cookies", what));
    }
    let [url, page] = recipe_urls(config, host, keys)?;
    let field = |(name, value): (&String, &String)| {
        let of = |what: String| ("form", format!("the field {name:?}: {what}"));
        let kept = kept(value).map_err(of)?;
        let value = self::secret(kept, environment).map_err(of)?;
        Ok(LoginField { name: name.clone(), value })
    };
    let fields = keys.form.iter().map(field).collect::<Result<_, _>>()?;
    Ok(HostAccount::Login(LoginRecipe { url, page, fields }))
}

fn secret(
    kept: SecretPlace<'_>,
    environment: &impl Fn(&str) -> Option<String>,
) -> Result<Secret, String> {
    let (text, at) = match kept {
        SecretPlace::Environment(name) => {
            let missing =
                || format!("the environment has no variable {name}; set it and run again");
            (environment(name).ok_or_else(missing)?, format!("the variable {name}"))
        }
        SecretPlace::File(path) => {
            let text = private_text(path)?;
            (text.trim_end_matches(['\n', '\r']).to_owned(), format!("the file {}", path.display()))
        }
        SecretPlace::Plain(text) => (text.to_owned(), "the text".to_owned()),
    };
    Secret::new(text).map_err(|what| format!("{at} {what}"))
}

/// What stands in a file that belongs to one person alone.
fn private_text(path: &Path) -> Result<String, String> {
    let wrong = |what: String| format!("{}: {what}", path.display());
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    let meta = file.metadata().map_err(|error| wrong(error.to_string()))?;
    if !meta.is_file() {
        return Err(wrong("it is no file".to_owned()));
    }
    let mode = meta.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let path = path.display();
        return Err(wrong(format!("others can read it (mode {mode:o}); run chmod 600 {path}")));
    }
    let mut text = String::new();
    let read = file.take(MOST_BYTES + 1).read_to_string(&mut text);
    match read {
        Err(_) => Err(wrong("it cannot be read as text".to_owned())),
        Ok(length) if length as u64 > MOST_BYTES => {
            Err(wrong("it is longer than 1 MiB".to_owned()))
        }
        Ok(_) => Ok(text),
    }
}

fn cookies(path: &Path, host: &str) -> Result<Vec<AccountCookie>, String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    let name = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
    let name = name.map_or(host, |(name, _)| name);
    let found = cookies_of(&private_text(path)?, name, now);
    found.map_err(|what| format!("{}: {what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{load, parse};

    fn check(text: &str, expected: Result<(), &str>) {
        let found = parse(text).map(|_| ()).map_err(|error| error.0);
        match (expected, found) {
            (Ok(()), Ok(())) => {}
            (Err(part), Err(message)) => {
                assert!(message.contains(part), "{message}");
                assert!(!message.contains("hush"), "{message}");
            }
            (expected, found) => panic!("{text}: expected {expected:?}, found {found:?}"),
        }
    }

    #[test]
    fn a_secret_in_the_settings_is_refused_and_not_repeated() {
        let host = |lines: &str| format!("[credentials.\"a.test\"]\n{lines}\n");
        check(&host("bearer = \"env:TOKEN\""), Ok(()));
        check(&host("user = \"ann\"\npassword = \"file:/x\""), Ok(()));
        check(&host("cookies = \"cookies.txt\""), Ok(()));
        let place = "fyke.toml:2:10: bearer of [credentials.\"a.test\"]: write where it stands";
        check(&host("bearer = \"hush\""), Err(place));
        check(&host("bearer = \"plain:hush\""), Err("a secret stands in the environment"));
        check(&host("user = \"ann\"\npassword = \"hush:1\""), Err("fyke.toml:3:12: password of"));
        check(&host("password = \"env:X\""), Err("user and password belong together"));
        check(&host("bearer = \"env:X\"\ncookies = \"x\""), Err("expected one of password"));
        check(&host(""), Err("expected one of password"));
        check(&host("bearrer = \"env:X\""), Err("did you mean \"bearer\"?"));
        let login = "login = \"https://a.test/login\"\n";
        check(&host(&format!("{login}form = {{ p = \"env:P\", u = \"plain:ann\" }}")), Ok(()));
        check(
            &host(&format!("{login}form = {{ p = \"hush\" }}")),
            Err("the field \"p\": write where"),
        );
        check(&host(login), Err("a login needs its fields"));
        let form = "form = { p = \"env:P\" }";
        check(&host(&format!("login = \"https://b.test/\"\n{form}")), Err("is not on a.test"));
        check(&host(&format!("login = \"http://a.test/\"\n{form}")), Err("must be https"));
        check(&host("bearer = \"env:X\"\npage = \"/x\""), Err("belong to a login"));
        for wrong in ["https://a.test", "*.test", "A.test", "a.test/x", "a test"] {
            let text = format!("[credentials.{wrong:?}]\nbearer = \"env:X\"\n");
            check(&text, Err("expected the name of one host"));
        }
        check("[credentials]\nbearer = \"env:X\"\n", Err("\"bearer\" is no host"));
        check("[credentials]\nbearer = \"hush\"\n", Err("\"bearer\" is no host"));
        check("credentials = \"hush\"\n", Err("is a section"));
        check(&host("bearer = [\"hush\"]"), Err("a.test: expected text in quotes"));
        check(&host("form = \"hush\""), Err("a.test: expected a map"));
        for login in ["hush", "hush:1", "https://b.test/?k=hush", "http://a.test/?k=hush"] {
            check(&host(&format!("login = {login:?}\n{form}")), Err("login of [credentials."));
        }
    }

    #[test]
    fn no_secret_of_the_command_line_or_the_environment_is_repeated() {
        let sets = [
            "credentials=hush",
            "credentials.token=hush",
            "credentials.token=[\"hush\"]",
            "credentials.a={bearer=[\"hush\"]}",
            "credentials.a={hush=1}",
            "credentials.a={bearer=\"hush\"}",
            "credentials.a={login=\"https://b.test/hush\", form={p=\"env:P\"}}",
        ];
        for set in sets {
            let error = load(None, std::iter::empty(), &[set.to_owned()]).expect_err(set).0;
            assert!(error.starts_with("--set") && !error.contains("hush"), "{set}: {error}");
        }
        let own = ["FYKE_CREDENTIALS_TOKEN", "FYKE_CREDENTIALS"];
        let own = own.map(|name| (name.to_owned(), "hush".to_owned()));
        let loaded = load(None, own.into_iter(), &[]).expect("they are passed over");
        assert_eq!(loaded.config, Config::default());
    }

    /// What comes of settings with this environment.
    fn found(text: &str, environment: &[(&str, &str)]) -> Result<Credentials, String> {
        let config = parse(text).expect("settings").config;
        let get = |name: &str| {
            let found = environment.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        credentials(&config, get).map_err(|error| error.0)
    }

    #[test]
    fn a_secret_comes_from_the_environment_or_from_a_file_of_ones_own() {
        let text = "[credentials.\"a.test\"]\nbearer = \"env:TOKEN\"\n";
        assert!(found(text, &[("TOKEN", "hush")]).is_ok());
        let missing = "bearer of [credentials.\"a.test\"]: the environment has no variable TOKEN; set it and run again";
        assert_eq!(found(text, &[]).expect_err("none"), missing);
        let error = found(text, &[("TOKEN", "hu\nsh")]).expect_err("none");
        assert!(
            error.contains("the variable TOKEN is empty") && !error.contains("hu\n"),
            "{error}"
        );

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        std::fs::write(&path, "hush\n").expect("a file");
        let text = format!("[credentials.\"a.test\"]\nbearer = \"file:{}\"\n", path.display());
        let mode = |mode| {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&path, permissions).expect("a mode");
        };
        mode(0o600);
        assert!(found(&text, &[]).is_ok());
        mode(0o644);
        let error = found(&text, &[]).expect_err("others can read it");
        assert!(error.contains("(mode 644); run chmod 600 "), "{error}");
        mode(0o600);
        let cookies =
            format!("[credentials.\"a.test\"]\ncookies = {:?}\n", path.display().to_string());
        let error = found(&cookies, &[]).expect_err("no cookies");
        assert!(error.contains("line 1: a cookie has seven") && !error.contains("hush"), "{error}");
        std::fs::write(&path, "a.test\tFALSE\t/\tFALSE\t0\ts\thush\n").expect("a file");
        assert!(found(&cookies, &[]).is_ok());
    }
}
