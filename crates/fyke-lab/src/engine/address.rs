//! Which engine is meant by what was typed: the folder of a collection, `searxng:` with the address of an
//! instance, a template with `{query}`, or the URL of an OpenSearch description or of a page that names one.

use super::{AddressTemplate, AnswerReading, Engine, Remote};
use anyhow::Context;
use fyke_stages::config::Config;
use fyke_web::Url;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// SearXNG's prefix, and what its results are called.
const SEARXNG: &str = "searxng:";
const SEARXNG_RESULTS: (&str, &str) = ("results", "url");

/// An engine as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineAddress {
    pub from: String,
    /// JSON pointers to the results, and to the URL of each; none: as the answer is.
    pub items: Option<String>,
    pub id: Option<String>,
    /// CSS selectors of results in HTML.
    pub select: Option<String>,
    /// Nobody's robots.txt need be asked.
    pub allowed: bool,
}

impl EngineAddress {
    /// Opens the engine; asks it nothing but its robots.txt and its description.
    ///
    /// # Errors
    /// When there is none, or it may not be asked.
    pub async fn open(&self, config: &Config) -> anyhow::Result<Engine> {
        let folder = Path::new(&self.from);
        if folder.join("fyke.toml").is_file() {
            return Engine::neighbour(folder);
        }
        let reading = self.reading()?;
        let remote = match self.template()? {
            Some((template, usual)) => {
                let reading = reading.unwrap_or(usual);
                Remote::by_template(config, template, reading, self.allowed).await?
            }
            None => {
                let url = Url::parse(&self.from).ok().with_context(|| {
                    format!(
                        "{:?} is no folder of a collection, no URL and no template with {{query}}",
                        self.from
                    )
                })?;
                Remote::by_description(config, &url, reading, self.allowed).await?
            }
        };
        Ok(Engine::Remote(Box::new(remote)))
    }

    /// Where it is asked; none for an index of ours.
    ///
    /// # Errors
    /// When that is no URL.
    pub fn url(&self) -> anyhow::Result<Option<Url>> {
        if Path::new(&self.from).join("fyke.toml").is_file() {
            return Ok(None);
        }
        match self.template()? {
            Some((template, _)) => template.example().map(Some).map_err(anyhow::Error::msg),
            None => Ok(Some(Url::parse(&self.from).map_err(|error| {
                anyhow::anyhow!(
                    "{:?} is no folder of a collection, no template with {{query}} and no URL: {error}",
                    self.from
                )
            })?)),
        }
    }

    /// By which its answers are known on disk.
    #[must_use]
    pub fn name(&self) -> String {
        let folder = Path::new(&self.from);
        match folder.canonicalize() {
            Ok(whole) if folder.join("fyke.toml").is_file() => whole.display().to_string(),
            _ => self.from.trim().to_owned(),
        }
    }

    fn template(&self) -> anyhow::Result<Option<(AddressTemplate, AnswerReading)>> {
        let parse = |text: &str| AddressTemplate::parse(text).map_err(anyhow::Error::msg);
        if let Some(instance) = self.from.strip_prefix(SEARXNG) {
            let base = instance.trim_end_matches('/');
            let mut template =
                parse(&format!("{base}/search?q={{query}}&format=json&pageno={{page}}"))?;
            template.page_offset = 1;
            let (items, id) = SEARXNG_RESULTS;
            return Ok(Some((template, AnswerReading::json(items, id))));
        }
        match self.from.contains('{') {
            true => Ok(Some((parse(&self.from)?, AnswerReading::AsItComes))),
            false => Ok(None),
        }
    }

    fn reading(&self) -> anyhow::Result<Option<AnswerReading>> {
        if let Some(selectors) = &self.select {
            let reading = AnswerReading::html(selectors);
            return reading.map(Some).map_err(|what| anyhow::anyhow!("--select {what}"));
        }
        let given = self.items.is_some() || self.id.is_some();
        let items = self.items.as_deref().unwrap_or_default();
        let id = self.id.as_deref().unwrap_or("url");
        Ok(given.then(|| AnswerReading::json(items, id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_of_searxng_is_asked_for_json() {
        let address =
            |from: &str| EngineAddress { from: from.to_owned(), ..EngineAddress::default() };
        let (template, reading) =
            address("searxng:http://127.0.0.1:8888/").template().unwrap().unwrap();
        let ask = super::super::template::EngineRequest { query: "+a", depth: 9, had: 0, pages: 1 };
        let url = template.fill(&ask).unwrap();
        assert_eq!(url.as_str(), "http://127.0.0.1:8888/search?q=%2Ba&format=json&pageno=2");
        assert_eq!(reading, AnswerReading::json("results", "url"));
        assert!(address("http://a.test/?q={query}").template().unwrap().is_some());
        assert!(address("http://a.test/os.xml").template().unwrap().is_none());
        assert!(address("http://a.test/{page}").template().is_err());
        assert_eq!(address(" http://a.test/ ").name(), "http://a.test/");
        let selected = EngineAddress { select: Some("a:x".to_owned()), ..address("x") };
        assert!(selected.reading().is_err());
    }
}
