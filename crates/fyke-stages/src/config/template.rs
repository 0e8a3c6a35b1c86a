//! What `fyke new` writes: a short commented `fyke.toml`.

use super::ConfigError;
use fyke_web::{Url, UrlError};

/// Reads a URL as people type it: a bare host name is taken as https.
///
/// # Errors
/// What is wrong with it.
pub fn seed_url(text: &str) -> Result<Url, ConfigError> {
    let text = text.trim();
    let whole = if is_bare(text) { format!("https://{text}") } else { text.to_string() };
    Url::parse(&whole).map_err(|error| {
        let advice = match error {
            UrlError::Scheme(_) => "",
            _ => "; a URL looks like https://example.org/",
        };
        ConfigError(format!("{text:?}: {error}{advice}"))
    })
}

/// Whether a URL is typed without its scheme.
#[must_use]
pub fn is_bare(text: &str) -> bool {
    !text.contains("://") && looks_like_host(text.trim())
}

/// `example.org`, `example.org:8080/path`, `localhost`; not `mailto:me` or `two words`.
fn looks_like_host(text: &str) -> bool {
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.split_once(':').unwrap_or((host, "80"));
    !name.is_empty()
        && (name.contains('.') || name == "localhost")
        && port.parse::<u16>().is_ok()
        && !name.contains(char::is_whitespace)
}

/// The text of a new collection's `fyke.toml`.
#[must_use]
pub fn template(name: &str, contact: &str, seeds: &[String], keywords: &[String]) -> String {
    let string = |text: &str| toml::Value::String(text.to_string()).to_string();
    let list = |texts: &[String]| {
        format!("[{}]", texts.iter().map(|t| string(t)).collect::<Vec<_>>().join(", "))
    };
    let focus = match keywords {
        [] => String::new(),
        _ => format!("\n[focus]\nkeywords = {}  # the subject, in words\n", list(keywords)),
    };
    let mode = match keywords {
        [] => {
            "\"site\"  # site: the seeds' hosts; domain: their whole domains; path: under the seeds' paths; list: what `allow` admits"
        }
        _ => "\"focused\"  # wherever the subject leads; site: the seeds' hosts alone",
    };
    format!(
        "# Settings of this collection. `fyke config` prints every key with its value and origin.\n\
         [collection]\n\
         name = {}\n\
         contact = {}  # who runs a site can reach you here; sent with every request\n\
         \n\
         [seeds]\n\
         urls = {}\n\
         \n\
         [scope]\n\
         mode = {mode}\n\
         # Patterns over host/path?query, without https://; * stays within a path segment, ** does not.\n\
         # allow = [\"*.example.org/**\"]  # in scope as well\n\
         # deny = [\"**/calendar/**\", \"re:[?&]print=\"]  # never in scope; re: a regular expression\n\
         {focus}\n\
         [budget]  # hard limits\n\
         pages = 20_000\n\
         per_host_pages = 5_000  # of one host\n\
         time = \"6h\"\n\
         \n\
         [politeness]\n\
         floor = \"1s\"  # smallest gap between two requests to one host\n",
        string(name),
        string(contact),
        list(seeds),
    )
}
