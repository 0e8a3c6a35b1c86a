//! An engine over HTTP: asked page by page, until there are hits enough or no more come.

use super::asker::Asker;
use super::template::EngineRequest;
use super::{AddressTemplate, AnswerReading, EngineTrouble};
use anyhow::Context;
use fyke_stages::config::{Config, names_loopback};
use fyke_web::html::{HtmlToken, Scanner, name};
use fyke_web::{Url, charset, opensearch};

/// Requests for one query.
const MOST_PAGES: usize = 50;

/// An engine over HTTP.
#[derive(Debug)]
pub struct Remote {
    asker: Asker,
    template: AddressTemplate,
    reading: AnswerReading,
    /// Answers in which documents came twice.
    repeats: u64,
    /// Results of the longest page so far: a shorter one is the last.
    page_size: usize,
}

type DefaultReading = fn() -> AnswerReading;

/// The media types of results that can be read, the best first.
const FORMS: &[(&str, DefaultReading)] = &[
    ("application/atom+xml", || AnswerReading::Feed),
    ("application/rss+xml", || AnswerReading::Feed),
    ("application/json", || AnswerReading::json("hits", "url")),
];

impl Remote {
    /// An engine by the template of its address. `allowed`: nobody's robots.txt need be asked.
    ///
    /// # Errors
    /// When the address makes no sense, or may not be asked.
    pub async fn by_template(
        config: &Config,
        template: AddressTemplate,
        reading: AnswerReading,
        allowed: bool,
    ) -> anyhow::Result<Remote> {
        let url = template.example().map_err(anyhow::Error::msg)?;
        let mut asker = Asker::new(config, &url)?;
        if !allowed {
            asker.check_robots(&url).await?;
        }
        Ok(Remote { asker, template, reading, repeats: 0, page_size: 0 })
    }

    /// An engine by its OpenSearch description; `reading` holds for results in JSON, which are else
    /// read as ours are.
    ///
    /// # Errors
    /// When there is no description, or none of a form that can be read.
    pub async fn by_description(
        config: &Config,
        url: &Url,
        reading: Option<AnswerReading>,
        allowed: bool,
    ) -> anyhow::Result<Remote> {
        let mut asker = Asker::new(config, url)?;
        let mut text = read(&mut asker, url).await?;
        if let Some(description) = description_of(&text, url) {
            // A page of the engine was named; it says where its description is.
            text = read(&mut asker, &description).await?;
        }
        let forms = opensearch::parse(&text);
        let known = FORMS.iter().find_map(|(media_type, usual)| {
            Some((forms.iter().find(|form| form.media_type == *media_type)?, usual))
        });
        let (form, usual) = known.with_context(|| {
            format!(
                "{url} describes no results as Atom, RSS or JSON; use a template with {{query}}"
            )
        })?;
        // A template may be relative to the description; its braces are no part of a URL.
        let address = match form.template.strip_prefix('/') {
            Some(path) => format!("{}://{}/{path}", url.scheme(), url.authority()),
            None => form.template.clone(),
        };
        let mut template = AddressTemplate::parse(&address).map_err(anyhow::Error::msg)?;
        (template.index_offset, template.page_offset) = (form.index_offset, form.page_offset);
        // A description elsewhere must not have us ask the services of this machine.
        let target = template.example().map_err(anyhow::Error::msg)?;
        anyhow::ensure!(
            names_loopback(url) || !names_loopback(&target),
            "{url} leads to this machine; to ask it there, use a template with {{query}}"
        );
        let given = reading.filter(|_| form.media_type == "application/json");
        Remote::by_template(config, template, given.unwrap_or_else(usual), allowed).await
    }

    /// The documents for a query, the best first, each once.
    ///
    /// # Errors
    /// When the engine gives no answer, or none that can be read.
    pub(super) async fn ask(&mut self, query: &str, depth: usize) -> anyhow::Result<Vec<String>> {
        let mut found: Vec<String> = Vec::new();
        for pages in 0..MOST_PAGES {
            let ask = EngineRequest { query, depth, had: found.len(), pages };
            let url = self.template.fill(&ask).map_err(anyhow::Error::msg)?;
            let answer = self.asker.get(&url).await?;
            let page = self.reading.read(&answer, depth);
            let page = page.map_err(|what| EngineTrouble::Unreadable(format!("{url}: {what}")))?;
            let (had, size) = (found.len(), page.len());
            let mut repeats = false;
            for document in page {
                match found.contains(&document) {
                    true => repeats = true,
                    false => found.push(document),
                }
            }
            self.repeats += u64::from(repeats);
            let is_last = size < self.page_size || found.len() == had;
            self.page_size = self.page_size.max(size);
            if is_last || found.len() >= depth || !self.template.has_pages() {
                break;
            }
        }
        found.truncate(depth);
        Ok(found)
    }

    /// Its host was asked for something else: the gap counts from now.
    pub(crate) fn hold(&mut self) {
        self.asker.hold();
    }

    /// Answers in which a document came twice.
    #[must_use]
    pub fn repeats(&self) -> u64 {
        self.repeats
    }
}

async fn read(asker: &mut Asker, url: &Url) -> anyhow::Result<String> {
    let answer = asker.get(url).await?;
    Ok(charset::decode(&answer.body(1 << 20).0, answer.header("content-type")))
}

/// Where a page says that the description of its search is; on its own host.
fn description_of(page: &str, url: &Url) -> Option<Url> {
    let links = Scanner::new(page).filter_map(|token| match token {
        HtmlToken::Start(tag) if tag.name == name("link") => Some(tag),
        _ => None,
    });
    let mut targets = links.filter_map(|tag| {
        let kind = tag.attribute("type")?;
        let is_one = kind.trim().eq_ignore_ascii_case("application/opensearchdescription+xml");
        is_one.then(|| url.join(tag.attribute("href")?.trim()).ok()).flatten()
    });
    targets.find(|target| target.authority() == url.authority())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_where_its_description_is() {
        let url = Url::parse("http://a.test/x").unwrap();
        let check = |page: &str, expected: Option<&str>| {
            let found = description_of(page, &url);
            assert_eq!(found.as_ref().map(Url::as_str), expected, "{page}");
        };
        let kind = "type='application/opensearchdescription+xml'";
        check(&format!("<link rel=search {kind} href='/os.xml'>"), Some("http://a.test/os.xml"));
        check(&format!("<link rel=search {kind} href='http://b.test/os.xml'>"), None);
        check("<link rel=stylesheet href='/x.css'>", None);
    }
}
