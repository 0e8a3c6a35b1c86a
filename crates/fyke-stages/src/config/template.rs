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

/// What a new collection is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewSettings {
    pub name: String,
    pub contact: String,
    pub seeds: Vec<String>,
    pub feeds: Vec<String>,
    /// The subject of a focused crawl; none: the seeds' sites.
    pub keywords: Vec<String>,
    /// Research papers are looked for.
    pub papers: bool,
}

fn string(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| string(text)).collect::<Vec<_>>().join(", "))
}

impl NewSettings {
    fn focus(&self) -> String {
        let keywords = match self.keywords.as_slice() {
            [] => String::new(),
            keywords => format!("keywords = {}  # the subject, in words\n", list(keywords)),
        };
        let targets = match self.papers {
            true => {
                "targets = \"papers\"  # links that lead to research papers come first; or patterns: [\"*.pdf\", \"*.ps\"]\n"
            }
            false => "",
        };
        match (keywords.as_str(), targets) {
            ("", "") => String::new(),
            _ => format!("\n[focus]\n{keywords}{targets}"),
        }
    }

    fn mode(&self) -> &'static str {
        match (self.keywords.is_empty(), self.papers) {
            (false, _) => "\"focused\"  # wherever the subject leads; site: the seeds' hosts alone",
            (true, true) => {
                "\"domain\"  # the whole domains of the seeds; site: their hosts alone; focused: wherever papers lead"
            }
            (true, false) => {
                "\"site\"  # site: the seeds' hosts; domain: their whole domains; path: under the seeds' paths; list: what `allow` admits"
            }
        }
    }

    /// The feeds, where some are named; one a line.
    fn feeds(&self) -> String {
        match self.feeds.as_slice() {
            [] => String::new(),
            feeds => {
                let lines: String =
                    feeds.iter().map(|feed| format!("  {},\n", string(feed))).collect();
                format!("feeds = [\n{lines}]\n")
            }
        }
    }

    /// How far links are followed, where that is not the default.
    fn depth(&self) -> &'static str {
        match self.seeds.is_empty() && !self.feeds.is_empty() {
            true => "depth = 1  # the items of the feeds alone; 2: what they link to as well\n",
            false => "",
        }
    }

    /// What is said above the seeds.
    fn seeds_comment(&self) -> &'static str {
        match self.papers {
            true => {
                "# Good seeds are home pages of departments, laboratories and lists of reports, such as\n\
                 # \"https://www.cs.example.edu/\", \"https://www.cs.example.edu/people/\", \"https://www.cs.example.edu/tr/\".\n"
            }
            false => "",
        }
    }
}

/// The text of a new collection's `fyke.toml`.
#[must_use]
pub fn template(new: &NewSettings) -> String {
    format!(
        "# Settings of this collection. `fyke config` prints every key with its value and origin.\n\
         [collection]\n\
         name = {}\n\
         contact = {}  # who runs a site can reach you here; sent with every request\n\
         \n\
         [seeds]\n\
         {}urls = {}\n\
         {}\
         \n\
         [scope]\n\
         mode = {}\n\
         {}\
         # Patterns over host/path?query, without https://; * stays within a path segment, ** does not.\n\
         # allow = [\"*.example.org/**\"]  # in scope as well\n\
         # deny = [\"**/calendar/**\", \"re:[?&]print=\"]  # never in scope; re: a regular expression\n\
         {}\n\
         [budget]  # hard limits\n\
         pages = 20_000\n\
         per_host_pages = 5_000  # of one host\n\
         time = \"6h\"\n\
         \n\
         [politeness]\n\
         floor = \"1s\"  # smallest gap between two requests to one host\n\
         \n\
         [revisit]\n\
         every = \"7d\"  # mean time between two visits to a page, when the crawl is run again\n",
        string(&new.name),
        string(&new.contact),
        new.seeds_comment(),
        list(&new.seeds),
        new.feeds(),
        new.mode(),
        new.depth(),
        new.focus(),
    )
}
