//! Crawl: settings become the options of a crawl.

use crate::config::{
    ApprovedPages, Config, ConfigError, FeedSwitch, Feeds, ScopeMode, SitemapSwitch, Sitemaps,
    bare_seeds, contact_for, credentials, names_loopback, seeds,
};
use crate::descriptors;
use crate::targets::targets;
use fyke_crawl::scope::Scope;
use fyke_crawl::{
    BudgetOptions, CrawlOptions, ENDLESS, FeedChoice, FocusOptions, FormOptions, Private, Proxy,
    RevisitOptions, Roots, ScopeOptions, SpiderModel, follow_seeds, guide_named,
};
use fyke_derive::derive;
use fyke_derive::whole::subject::{KnownSubject, SubjectSettings};
use fyke_store::LedgerView;
use fyke_web::{Capture, Url};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of a crawl of the whole collection.
///
/// # Errors
/// When there is no seed, or no contact for hosts outside loopback.
pub fn crawl_options(config: &Config) -> Result<CrawlOptions, ConfigError> {
    let seeds = seeds(config)?;
    let mut options = fetch_options(config, &seeds)?;
    options.sitemaps = sitemaps(config)?;
    options.feeds = match &config.seeds.feeds {
        Feeds::Switch(FeedSwitch::Auto) => FeedChoice::Auto,
        Feeds::Switch(FeedSwitch::Off) => FeedChoice::Off,
        Feeds::List(_) => FeedChoice::Met,
    };
    options.focus = focus(config)?;
    options.revisit = revisit(config)?;
    options.seeds = seeds;
    options.bare_seeds = bare_seeds(config);
    if config.scope.mode == ScopeMode::Focused {
        options.seeds.extend(example_urls(config)?);
    }
    Ok(options)
}

/// What is asked for again.
///
/// # Errors
/// When no policy has that name.
pub fn revisit(config: &Config) -> Result<RevisitOptions, ConfigError> {
    let options = config.revisit.options();
    options.map_err(|what| ConfigError(format!("revisit.policy: {what}")))
}

/// The options for asking for hits of a search engine, none of whose links are followed; a collection with a subject judges them by it. Where no engine is named it
/// is an index on this machine.
///
/// # Errors
/// When the engine is outside loopback and no contact is set.
pub fn hit_options(config: &Config, engine: Option<&Url>) -> Result<CrawlOptions, ConfigError> {
    let urls: Vec<Url> = engine.cloned().into_iter().collect();
    let mut options = fetch_options(config, &urls)?;
    (options.scope.mode, options.scope.depth) = (fyke_crawl::Mode::Focused, 0);
    options.sitemaps = fyke_crawl::SitemapChoice::Off;
    options.feeds = FeedChoice::Off;
    options.asks_for_missing = false;
    options.focus = focus(config)?;
    Ok(options)
}

/// The subject of a focused crawl, and what a crawl of any mode looks for.
///
/// # Errors
/// When an example cannot be read, no guide has that name, or the model is none.
pub(crate) fn focus(config: &Config) -> Result<Option<FocusOptions>, ConfigError> {
    let keys = &config.focus;
    let wrong = |error| ConfigError(format!("focus.targets: {error}"));
    let targets = targets(&keys.targets).map_err(wrong)?.map(Arc::new);
    let wrong = |what| ConfigError(format!("focus.guide: {what}"));
    let guide = guide_named(&keys.guide).map_err(wrong)?;
    let (learn_from, model) = (learn_from(&keys.learn_from)?, model(&keys.model)?);
    if config.scope.mode != ScopeMode::Focused {
        // The mode says where the crawl may go; the targets in which order.
        let looks =
            FocusOptions { guide, learn_from, model, tunnel: ENDLESS, ..FocusOptions::default() };
        return Ok(targets.map(|targets| FocusOptions { targets: Some(targets), ..looks }));
    }
    Ok(Some(FocusOptions {
        keywords: keys.keywords.clone(),
        language: language(config),
        examples: examples(config)?,
        example_urls: example_urls(config)?.iter().map(Url::id).collect(),
        guide,
        threshold: keys.threshold,
        tunnel: keys.tunnel,
        learn_from,
        model,
        targets,
    }))
}

/// The subject of a focused collection at `root`, by which its documents are judged.
///
/// # Errors
/// When an example cannot be read, or `subject.toml` is wrong.
pub(crate) fn subject(
    root: &Path,
    config: &Config,
) -> Result<Option<SubjectSettings>, ConfigError> {
    let is_told = !(config.focus.keywords.is_empty() && config.focus.examples.is_empty());
    if config.scope.mode != ScopeMode::Focused || !is_told {
        return Ok(None);
    }
    let [mut approved, refused] = ApprovedPages::load(root)?.ids()?;
    approved.extend(example_urls(config)?.iter().map(Url::id));
    let (keywords, language) = (config.focus.keywords.clone(), language(config));
    let approved = approved.difference(&refused).copied().collect();
    let known = KnownSubject { keywords, language, examples: examples(config)?, approved, refused };
    Ok(Some(SubjectSettings { known, threshold: config.focus.threshold }))
}

/// Whose stems the keywords have.
fn language(config: &Config) -> String {
    config.corpus.languages.first().map_or("en", String::as_str).to_owned()
}

/// Titles and texts of the examples that are files.
fn examples(config: &Config) -> Result<Vec<(String, String)>, ConfigError> {
    let files = config.focus.examples.iter().filter(|example| !is_url(example));
    files.map(|file| example(file)).collect()
}

/// What a guide learned before; a file without it is an error.
fn model(path: &Path) -> Result<Option<SpiderModel>, ConfigError> {
    if path.as_os_str().is_empty() {
        return Ok(None);
    }
    let wrong = |what: &str| ConfigError(format!("focus.model: {}: {what}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| wrong(&error.to_string()))?;
    let what = "not a model that this version of fyke wrote (fyke sim --save, or guide.model of a collection)";
    SpiderModel::from_bytes(&bytes).map(Some).ok_or_else(|| wrong(what))
}

/// The collections to learn from, each of which must be one.
fn learn_from(folders: &[PathBuf]) -> Result<Vec<PathBuf>, ConfigError> {
    match folders.iter().find(|folder| !folder.join("fyke.toml").is_file()) {
        None => Ok(folders.to_vec()),
        Some(folder) => {
            let what = "no collection is there: name the folder of one, with its fyke.toml";
            Err(ConfigError(format!("focus.learn_from: {}: {what}", folder.display())))
        }
    }
}

fn is_url(example: &str) -> bool {
    example.contains("://")
}

fn example_urls(config: &Config) -> Result<Vec<Url>, ConfigError> {
    let urls = config.focus.examples.iter().filter(|example| is_url(example));
    let parse = |url: &String| {
        Url::parse(url).map_err(|error| ConfigError(format!("focus.examples: {url:?}: {error}")))
    };
    urls.map(parse).collect()
}

/// Title and text of an example in a file, of any format that can be read.
fn example(path: &str) -> Result<(String, String), ConfigError> {
    let wrong = |what: String| ConfigError(format!("focus.examples: {path}: {what}"));
    let payload = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let url = Url::parse("http://example.invalid/").and_then(|base| base.join(name));
    let url = url.map_err(|error| wrong(error.to_string()))?;
    let (headers, truncated) = (Vec::new(), None);
    let capture = Capture { url, time: 0, status: 200, headers, payload, truncated };
    let document = derive(&capture).document;
    let document = document.ok_or_else(|| wrong("no text can be taken from it".to_owned()))?;
    Ok((document.title, document.text))
}

/// The options for asking for these URLs.
///
/// # Errors
/// When one of them is outside loopback and no contact is set.
pub fn fetch_options(config: &Config, urls: &[Url]) -> Result<CrawlOptions, ConfigError> {
    // Loopback addresses written as seeds are meant; one that a page elsewhere names is not, so a
    // single seed elsewhere keeps this machine closed.
    let millis = u64::try_from(config.budget.time.as_millis()).unwrap_or(u64::MAX);
    Ok(CrawlOptions {
        scope: scope(config),
        budget: BudgetOptions {
            pages: Some(config.budget.pages),
            per_host_pages: Some(config.budget.per_host_pages),
            per_domain_pages: Some(config.budget.per_domain_pages),
            per_inlink_pages: config.budget.per_inlink_pages,
            bytes: Some(config.budget.bytes),
            time: Some(millis),
            run_pages: None,
        },
        floor: config.politeness.floor,
        factor: config.politeness.factor,
        per_address: config.politeness.per_address as usize,
        connections: descriptors::connections(config.fetch.connections as usize),
        threads: threads(config.fetch.threads),
        timeout: config.fetch.timeout,
        first_byte: config.fetch.first_byte,
        max_bytes: usize::try_from(config.fetch.max_bytes).unwrap_or(usize::MAX),
        asks_for_missing: config.fetch.made_up_paths,
        hosts: config.fetch.hosts.iter().map(|(name, at)| (name.clone(), *at)).collect(),
        contact: contact_for(config, urls)?.to_string(),
        private: match config.fetch.private {
            true => Private::Open,
            false if urls.iter().all(names_loopback) => Private::Loopback,
            false => Private::Refused,
        },
        proxy: proxy(|name| std::env::var(name).ok())?,
        roots: roots(&config.fetch.roots)?,
        credentials: credentials(config, |name| std::env::var(name).ok())?,
        render: config.fetch.rendering().map_err(ConfigError)?,
        forms: FormOptions { hosts: config.forms.hosts.clone(), queries: config.forms.queries },
        ..CrawlOptions::default()
    })
}

/// The proxy that the environment names, as other tools read it: `http_proxy`, `https_proxy` or
/// `HTTPS_PROXY`, `no_proxy` or `NO_PROXY`. (`HTTP_PROXY` may come from a request's header where a
/// server starts programs.) This machine itself needs none.
fn proxy(get: impl Fn(&str) -> Option<String>) -> Result<Proxy, ConfigError> {
    let either = |a, b| get(a).or_else(|| get(b)).unwrap_or_default();
    let (http, https) = (either("http_proxy", "http_proxy"), either("https_proxy", "HTTPS_PROXY"));
    let without = format!("{},localhost,127.0.0.0/8,::1", either("no_proxy", "NO_PROXY"));
    Proxy::parse(&http, &https, &without)
        .map_err(|error| ConfigError(format!("http_proxy or https_proxy: {error}")))
}

fn roots(path: &str) -> Result<Roots, ConfigError> {
    if path.is_empty() {
        return Ok(Roots::default());
    }
    let wrong = |what: String| ConfigError(format!("fetch.roots: {path}: {what}"));
    let pem = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    Roots::from_pem(&pem).map_err(|error| wrong(error.to_string()))
}

/// So many threads, or one per core.
fn threads(wanted: u32) -> usize {
    match wanted {
        0 => std::thread::available_parallelism().map_or(1, usize::from).min(64),
        wanted => wanted.min(64) as usize,
    }
}

fn scope(config: &Config) -> ScopeOptions {
    ScopeOptions {
        mode: match config.scope.mode {
            ScopeMode::Domain => fyke_crawl::Mode::Domain,
            ScopeMode::Path => fyke_crawl::Mode::Path,
            ScopeMode::List => fyke_crawl::Mode::List,
            ScopeMode::Focused => fyke_crawl::Mode::Focused,
            ScopeMode::Site => fyke_crawl::Mode::Site,
        },
        allow: config.scope.allow.clone(),
        deny: config.scope.deny.clone(),
        depth: config.scope.depth,
    }
}

fn sitemaps(config: &Config) -> Result<fyke_crawl::SitemapChoice, ConfigError> {
    let wrong = |url: &str, error| ConfigError(format!("seeds.sitemaps: {url:?}: {error}"));
    Ok(match &config.seeds.sitemaps {
        Sitemaps::Switch(SitemapSwitch::Auto) => fyke_crawl::SitemapChoice::Auto,
        Sitemaps::Switch(SitemapSwitch::Named) => fyke_crawl::SitemapChoice::Named,
        Sitemaps::Switch(SitemapSwitch::Off) => fyke_crawl::SitemapChoice::Off,
        Sitemaps::List(urls) => fyke_crawl::SitemapChoice::List(
            urls.iter()
                .map(|url| Url::parse(url).map_err(|error| wrong(url, error)))
                .collect::<Result<_, _>>()?,
        ),
    })
}

/// Whether the scope admits a URL, and the rule that decides in words; `ledger` knows where seeds redirect to.
///
/// # Errors
/// As [`crawl_options`].
pub fn admits(
    config: &Config,
    ledger: Option<&LedgerView>,
    url: &Url,
) -> Result<Result<String, String>, ConfigError> {
    let seeds = seeds(config)?;
    let wrong = |error: String| ConfigError(error);
    let scope = Scope::new(&scope(config), &seeds).map_err(|e| wrong(e.to_string()))?;
    if let Some(ledger) = ledger {
        follow_seeds(&scope, &seeds, ledger).map_err(|e| wrong(e.to_string()))?;
    }
    let rule = scope.rule(url);
    Ok(match scope.check(url) {
        Ok(()) => Ok(rule.to_string()),
        Err(out) => Err(format!("{}: {rule}", out.reason.name())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::load;

    #[test]
    fn this_machine_is_open_only_when_every_seed_is_on_it() {
        let check = |seeds: &[&str], expected: Private| {
            let sets =
                [format!("seeds.urls={seeds:?}"), "collection.contact=\"mailto:x@y.z\"".to_owned()];
            let config = load(None, std::iter::empty(), &sets).expect("settings").config;
            let options = crawl_options(&config).expect("options");
            assert_eq!(options.private, expected, "{seeds:?}");
        };
        check(&["http://127.0.0.1:80/"], Private::Loopback);
        check(&["http://127.0.0.1:80/", "http://localhost/"], Private::Loopback);
        check(&["http://127.0.0.1:80/", "http://example.org/"], Private::Refused);
        check(&["http://example.org/"], Private::Refused);
    }

    #[test]
    fn a_seed_without_a_scheme_is_asked_for_by_both() {
        let sets = [
            "seeds.urls=[\"a.test/x\", \"http://b.test/\", \"localhost:81\"]".to_owned(),
            "collection.contact=\"mailto:x@y.z\"".to_owned(),
        ];
        let config = load(None, std::iter::empty(), &sets).expect("settings").config;
        let options = crawl_options(&config).expect("options");
        let texts = |urls: &[Url]| urls.iter().map(|u| u.as_str().to_owned()).collect::<Vec<_>>();
        let bare = ["https://a.test/x", "https://localhost:81/"];
        assert_eq!(texts(&options.bare_seeds), bare);
        assert_eq!(texts(&options.seeds), [bare[0], "http://b.test/", bare[1]]);
    }

    #[test]
    fn feeds_that_are_named_are_seeds() {
        let options = |feeds: &str| {
            let sets =
                [format!("seeds.feeds={feeds}"), "collection.contact=\"mailto:x@y.z\"".to_owned()];
            crawl_options(&load(None, std::iter::empty(), &sets).expect("settings").config)
        };
        let found = options("[\"https://a.test/feed\", \"b.test/rss\"]").expect("options");
        assert_eq!(found.feeds, FeedChoice::Met);
        let seeds: Vec<&str> = found.seeds.iter().map(Url::as_str).collect();
        assert_eq!(seeds, ["https://a.test/feed", "https://b.test/rss"]);
        assert_eq!(found.bare_seeds.len(), 1);
        assert!(options("\"auto\"").expect_err("no seed").to_string().contains("no seed"));
        let wrong = load(None, std::iter::empty(), &["seeds.feeds=[\"ftp://a.test/\"]".to_owned()]);
        assert!(wrong.expect_err("no feed").to_string().contains("seeds.feeds"));
    }

    #[test]
    fn what_is_to_be_learned_from_must_be_a_collection() {
        let folder = tempfile::tempdir().expect("a folder");
        let check = || {
            let sets = [
                "scope.mode=focused".to_owned(),
                "focus.keywords=[\"tides\"]".to_owned(),
                format!("focus.learn_from=[{:?}]", folder.path()),
            ];
            focus(&load(None, std::iter::empty(), &sets).expect("settings").config)
        };
        let error = check().expect_err("no collection").to_string();
        assert!(error.starts_with("focus.learn_from: ") && error.contains("fyke.toml"), "{error}");
        std::fs::write(folder.path().join("fyke.toml"), "").expect("a file");
        assert_eq!(check().expect("a subject").expect("focused").learn_from, [folder.path()]);
    }
}
