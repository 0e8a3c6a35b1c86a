//! Where runs come from: the collection's own index, or anybody's engine over HTTP, by a template of
//! its address or by its OpenSearch description.

mod asker;
mod reading;
mod template;

pub use reading::{AnswerReading, document};
pub use template::AddressTemplate;

use anyhow::Context;
use asker::Asker;
use fyke_eval::Run;
use fyke_index::{Index, SearchOptions};
use fyke_stages::config::{Config, names_loopback};
use fyke_stages::search;
use fyke_web::{Url, charset, opensearch};
use template::EngineRequest;

use super::LabTopic;

/// Hits that the index gives at a time.
const PAGE: usize = 100;
/// Requests for one query.
const MOST_PAGES: usize = 50;

/// Shows where a template leads.
const PROBE: EngineRequest<'static> = EngineRequest { query: "x", depth: 1, had: 0, pages: 0 };

/// What answers queries.
#[derive(Debug)]
pub enum Engine {
    Own {
        index: Box<Index>,
        /// How the collection is searched.
        options: Box<SearchOptions>,
        /// Words put behind every query, as `site:host`.
        more: String,
    },
    Remote(Box<Remote>),
}

/// An engine over HTTP.
#[derive(Debug)]
pub struct Remote {
    asker: Asker,
    template: AddressTemplate,
    reading: AnswerReading,
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
        let url = template.fill(&PROBE).map_err(anyhow::Error::msg)?;
        let mut asker = Asker::new(config, &url)?;
        if !allowed {
            asker.check_robots(&url).await?;
        }
        Ok(Remote { asker, template, reading })
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
        let answer = Asker::new(config, url)?.get(url).await?;
        let text = charset::decode(&answer.body(1 << 20).0, answer.header("content-type"));
        let forms = opensearch::parse(&text);
        let known = FORMS.iter().find_map(|(media_type, usual)| {
            Some((forms.iter().find(|form| form.media_type == *media_type)?, usual))
        });
        let (form, usual) = known.with_context(|| {
            format!("{url} describes no results as Atom, RSS or JSON; use --url and a template")
        })?;
        // A template may be relative to the description; its braces are no part of a URL.
        let address = match form.template.strip_prefix('/') {
            Some(path) => format!("{}://{}/{path}", url.scheme(), url.authority()),
            None => form.template.clone(),
        };
        let mut template = AddressTemplate::parse(&address).map_err(anyhow::Error::msg)?;
        (template.index_offset, template.page_offset) = (form.index_offset, form.page_offset);
        // A description elsewhere must not have us ask the services of this machine.
        let target = template.fill(&PROBE).map_err(anyhow::Error::msg)?;
        anyhow::ensure!(
            names_loopback(url) || !names_loopback(&target),
            "{url} leads to this machine; to ask it there, use --url and a template"
        );
        let given = reading.filter(|_| form.media_type == "application/json");
        Remote::by_template(config, template, given.unwrap_or_else(usual), allowed).await
    }

    async fn ask(&mut self, query: &str, depth: usize) -> anyhow::Result<Vec<String>> {
        let mut found: Vec<String> = Vec::new();
        for pages in 0..MOST_PAGES {
            let ask = EngineRequest { query, depth, had: found.len(), pages };
            let url = self.template.fill(&ask).map_err(anyhow::Error::msg)?;
            let answer = self.asker.get(&url).await?;
            let page = self.reading.read(&answer, depth).map_err(anyhow::Error::msg)?;
            let had = found.len();
            for document in page {
                if !found.contains(&document) {
                    found.push(document);
                }
            }
            if found.len() == had || found.len() >= depth || !self.template.has_pages() {
                break;
            }
        }
        found.truncate(depth);
        Ok(found)
    }
}

impl Engine {
    /// The documents for a query, the best first.
    ///
    /// # Errors
    /// When the engine gives no answer.
    pub async fn ask(&mut self, query: &str, depth: usize) -> anyhow::Result<Vec<String>> {
        match self {
            Engine::Remote(remote) => remote.ask(query, depth).await,
            Engine::Own { index, options, more } => {
                own((index, options), &format!("{query} {more}"), depth)
            }
        }
    }
}

/// The URLs that an index answers with, the best first.
///
/// # Errors
/// When the index cannot be read.
pub fn own(
    (index, options): (&Index, &SearchOptions),
    query: &str,
    depth: usize,
) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    while found.len() < depth {
        let limit = PAGE.min(depth - found.len());
        let options = SearchOptions { offset: found.len(), limit, ..*options };
        let hits = search::search(index, query, &options)?.hits;
        let is_last = hits.len() < limit;
        found.extend(hits.into_iter().map(|hit| hit.url));
        if is_last {
            break;
        }
    }
    Ok(found)
}

/// Puts the answer to a topic into a run. The places become scores: equal ones would be put in
/// another order by those who measure.
pub fn record(run: &mut Run, topic: &LabTopic, documents: &[String]) {
    for (rank, document) in documents.iter().enumerate() {
        let score = (documents.len() - rank) as f32;
        run.insert(&topic.id, document, score);
    }
}
