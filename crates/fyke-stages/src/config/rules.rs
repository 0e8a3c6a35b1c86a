//! Rules that go over several keys: politeness off loopback, the contact, what is not built yet.

use super::layers::LoadedSettings;
use super::template::{is_bare, seed_url};
use super::{Config, ConfigError, Feeds, ScopeMode};
use crate::search;
use crate::targets::targets;
use fyke_crawl::scope::{Scope, ScopeError};
use fyke_crawl::{ScopeOptions, guide_named};
use fyke_eval::interleave;
use fyke_web::Url;
use std::net::IpAddr;

/// Refuses settings that are well formed but may not be.
pub(super) fn check(loaded: &LoadedSettings) -> Result<(), ConfigError> {
    let config = &loaded.config;
    let wrong = |key: &str, what: &str| {
        let place =
            loaded.origins.get(key).map_or("default".to_string(), super::ValueOrigin::place);
        Err(ConfigError(format!("{place}: {key}: {what}")))
    };
    if let Err((key, what)) = check_seeds(config) {
        return wrong(key, &what);
    }
    if !(0.0..1e6).contains(&config.politeness.factor) {
        return wrong("politeness.factor", "must be a number from 0 on");
    }
    if let Some((key, what)) = impolite(config).filter(|_| !on_loopback(config)) {
        return wrong(key, what);
    }
    if !(0.0..=1.0).contains(&config.corpus.near_duplicate) {
        return wrong("corpus.near_duplicate", "must be between 0 and 1");
    }
    if let Err(what) = search::ranker(&config.search.ranker) {
        return wrong("search.ranker", &what);
    }
    if let Err(what) = config.revisit.options() {
        return wrong("revisit.policy", &what);
    }
    if config.revisit.latest < config.revisit.soonest {
        return wrong("revisit.latest", "must be no less than revisit.soonest");
    }
    super::extract::check(loaded)?;
    super::credentials::check(loaded)?;
    if let Err((key, what)) = check_hosts(config) {
        return wrong(key, &what);
    }
    if let Err((key, what)) = check_experiment(config) {
        return wrong(key, &what);
    }
    for (key, zero) in [
        ("fetch.connections", config.fetch.connections == 0),
        ("fetch.timeout", config.fetch.timeout.is_zero()),
        ("fetch.max_bytes", config.fetch.max_bytes == 0),
        ("fetch.render_time", config.fetch.render_time.is_zero()),
        ("fetch.render_at_once", config.fetch.render_at_once == 0),
        ("search.steps", config.search.steps == 0),
        ("revisit.every", config.revisit.every.is_zero()),
        ("revisit.soonest", config.revisit.soonest.is_zero()),
        ("serve.log_days", config.serve.log_days == 0),
        ("serve.log_bytes", config.serve.log_bytes == 0),
    ] {
        if zero {
            return wrong(key, "must be more than 0");
        }
    }
    if let Err((key, what)) = check_focus(config) {
        return wrong(key, &what);
    }
    for (key, patterns) in
        [("scope.allow", &config.scope.allow), ("scope.deny", &config.scope.deny)]
    {
        let options = ScopeOptions { allow: patterns.clone(), ..ScopeOptions::default() };
        if let Err(ScopeError { pattern, what }) = Scope::new(&options, &[]) {
            // Of a drawing of the trouble only its last line is plain text.
            let what = what.lines().last().unwrap_or_default().trim_start_matches("error: ");
            return wrong(key, &format!("the pattern {pattern:?} cannot be read: {what}"));
        }
    }
    check_contact(&config.collection.contact).or_else(|what| wrong("collection.contact", what))
}

/// The addresses that a crawl begins with.
fn check_seeds(config: &Config) -> Result<(), (&'static str, String)> {
    for (index, url) in config.seeds.urls.iter().enumerate() {
        seed_url(url).map_err(|error| ("seeds.urls", format!("seed {} {error}", index + 1)))?;
    }
    if let Feeds::List(urls) = &config.seeds.feeds {
        for url in urls {
            seed_url(url).map_err(|error| ("seeds.feeds", error.to_string()))?;
        }
    }
    Ok(())
}

/// What only servers of one's own may be asked to bear: the key, and what to set instead.
fn impolite(config: &Config) -> Option<(&'static str, &'static str)> {
    let keys = &config.politeness;
    if keys.floor.is_zero() {
        let what = "a gap of 0s is allowed only when every seed and host is on loopback; set it to \
                    \"250ms\" or more";
        return Some(("politeness.floor", what));
    }
    if keys.factor <= 0.0 {
        let what = "0 is allowed only when every seed and host is on loopback; the default is 10.0";
        return Some(("politeness.factor", what));
    }
    let what =
        "0, no limit, is allowed only when every seed and host is on loopback; the default is 1";
    (keys.per_address == 0).then_some(("politeness.per_address", what))
}

/// Whether a focused crawl knows its subject; else the key that is wrong, and what to do.
fn check_focus(config: &Config) -> Result<(), (&'static str, String)> {
    let keys = &config.focus;
    if let Err(what) = guide_named(&keys.guide) {
        return Err(("focus.guide", what));
    }
    if !(0.0..=1.0).contains(&keys.threshold) {
        return Err((
            "focus.threshold",
            "a number from 0 to 1 is wanted; the default is 0.5".into(),
        ));
    }
    let has_word = |keyword: &String| keyword.chars().any(char::is_alphanumeric);
    if !keys.keywords.iter().all(has_word) {
        let what = "a keyword must have a letter or a digit in it";
        return Err(("focus.keywords", what.to_string()));
    }
    if let Err(error) = targets(&keys.targets) {
        return Err(("focus.targets", error.to_string()));
    }
    if config.scope.mode != ScopeMode::Focused {
        return Ok(());
    }
    let has_file = keys.examples.iter().any(|example| !example.contains("://"));
    if keys.keywords.is_empty() && keys.examples.is_empty() {
        if !keys.targets.is_empty() {
            return Ok(());
        }
        let what = "\"focused\" needs a subject: set keywords = [\"…\"] in [focus], or examples, or targets";
        return Err(("scope.mode", what.to_string()));
    }
    if keys.keywords.is_empty() && !has_file {
        let what = "examples that are URLs need keywords beside them, or an example that is a file";
        return Err(("focus.examples", what.to_string()));
    }
    Ok(())
}

/// Lists of hosts, and the browser that some are for.
fn check_hosts(config: &Config) -> Result<(), (&'static str, String)> {
    for (key, hosts) in [
        ("forms.hosts", &config.forms.hosts),
        ("fetch.render_hosts", &config.fetch.render_hosts),
        ("fetch.render_parts", &config.fetch.render_parts),
    ] {
        for host in hosts {
            let checked = super::credentials::check_authority(host);
            checked.map_err(|what| (key, format!("{host:?}: {what}")))?;
        }
    }
    config.fetch.rendering().map(drop).map_err(|what| ("fetch.render", what))
}

/// Whether the experiment can be made; else the key that is wrong, and what it must be.
fn check_experiment(config: &Config) -> Result<(), (&'static str, String)> {
    let keys = &config.experiment;
    if !(0.0..=1.0).contains(&keys.share) {
        return Err(("experiment.share", "must be between 0 and 1".to_string()));
    }
    if interleave::find(&keys.method).is_none() {
        let known = interleave::INTERLEAVINGS.map(|row| row.name).join(" or ");
        return Err(("experiment.method", format!("{:?} is not {known}", keys.method)));
    }
    for (key, ranker) in [("experiment.a", &keys.a), ("experiment.b", &keys.b)] {
        search::ranker(ranker).map_err(|what| (key, what))?;
    }
    if keys.share > 0.0 && !config.serve.log_searches {
        let what = "an experiment needs its clicks: set log_searches = true in [serve]";
        return Err(("experiment.share", what.to_string()));
    }
    Ok(())
}

/// Whether a contact can go into a header, and whether it leads to anybody: an address of mail, with
/// "mailto:" or without, or of a page. None is none yet.
///
/// # Errors
/// What it must be.
pub fn check_contact(contact: &str) -> Result<(), &'static str> {
    if contact.len() > 200 || contact.chars().any(char::is_control) {
        return Err("must be one line of at most 200 bytes");
    }
    let mail = contact.strip_prefix("mailto:").unwrap_or(contact);
    let is_mail = mail.split_once('@').is_some_and(|(who, at)| !who.is_empty() && !at.is_empty());
    let is_page = contact.starts_with("http") && Url::parse(contact).is_ok();
    if contact.is_empty() || is_mail || is_page {
        return Ok(());
    }
    Err("must lead to you: \"mailto:you@example.org\" or \"https://example.org/about\"")
}

/// Whether there is a seed and every seed and every `hosts` override is on this machine.
fn on_loopback(config: &Config) -> bool {
    let seeds: Vec<Url> = config.seeds.all().filter_map(|url| seed_url(url).ok()).collect();
    !seeds.is_empty()
        && seeds.iter().all(|url| is_loopback(config, url))
        && config.fetch.hosts.values().all(|address| address.ip().is_loopback())
}

/// Whether a URL's host stands on this machine, by its address or by a `hosts` override (a name, or
/// "*.suffix").
#[must_use]
pub fn is_loopback(config: &Config, url: &Url) -> bool {
    let hosts = &config.fetch.hosts;
    let under = |pattern: &str| {
        pattern.strip_prefix('*').is_some_and(|suffix| url.host().ends_with(suffix))
    };
    let wildcard = || {
        let matching = hosts.iter().filter(|(pattern, _)| under(pattern));
        matching.max_by_key(|(pattern, _)| pattern.len()).map(|(_, address)| address)
    };
    if let Some(address) = hosts.get(url.host()).or_else(wildcard) {
        return address.ip().is_loopback();
    }
    names_loopback(url)
}

/// Whether a URL itself names this machine, without the help of `fetch.hosts`.
#[must_use]
pub fn names_loopback(url: &Url) -> bool {
    let bare = url.host().trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The seeds as URLs.
///
/// # Errors
/// When there is none.
pub fn seeds(config: &Config) -> Result<Vec<Url>, ConfigError> {
    let urls: Vec<Url> = config.seeds.all().filter_map(|url| seed_url(url).ok()).collect();
    if urls.is_empty() {
        return Err(ConfigError(
            "there is no seed to start from; set urls = [\"https://…\"] in [seeds] of fyke.toml"
                .to_string(),
        ));
    }
    Ok(urls)
}

/// Those of the seeds that are given without a scheme, as https.
pub(crate) fn bare_seeds(config: &Config) -> Vec<Url> {
    let urls = config.seeds.all().filter(|url| is_bare(url));
    urls.filter_map(|url| seed_url(url).ok()).collect()
}

/// The contact to send, once it is known that `urls` may be asked for.
///
/// # Errors
/// When one of them is outside loopback and no contact is set.
pub fn contact_for<'a>(config: &'a Config, urls: &[Url]) -> Result<&'a str, ConfigError> {
    let contact = config.collection.contact.as_str();
    match urls.iter().find(|url| !is_loopback(config, url)) {
        Some(url) if contact.is_empty() => Err(ConfigError(format!(
            "collection.contact is not set, and {} is not on this machine: who runs a site must be \
             able to reach you; set contact = \"mailto:you@example.org\" in [collection] of \
             fyke.toml, or FYKE_COLLECTION_CONTACT",
            url.host()
        ))),
        _ => Ok(contact),
    }
}

#[cfg(test)]
mod tests {
    use crate::config::load;

    fn check(sets: &[&str], expected: Result<(), &str>) {
        let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
        let found = load(None, std::iter::empty(), &sets).map(|_| ()).map_err(|e| e.0);
        match (expected, found) {
            (Ok(()), Ok(())) => {}
            (Err(part), Err(message)) => assert!(message.contains(part), "{message}"),
            (expected, found) => panic!("{sets:?}: expected {expected:?}, found {found:?}"),
        }
    }

    #[test]
    fn no_gap_at_all_is_for_loopback_only() {
        let gap = "politeness.floor=0s";
        check(&[gap], Err("--set: politeness.floor: a gap of 0s"));
        check(&[gap, "seeds.urls=[\"http://127.0.0.1:80/\"]"], Ok(()));
        check(&[gap, "seeds.urls=[\"http://example.org/\"]"], Err("on loopback"));
        let seed = "seeds.urls=[\"http://a.test/\"]";
        check(&[gap, seed, "fetch.hosts={\"a.test\" = \"127.0.0.1:1\"}"], Ok(()));
        check(&[gap, seed, "fetch.hosts={\"*.test\" = \"127.0.0.1:1\"}"], Ok(()));
        check(&[gap, seed, "fetch.hosts={\"a.test\" = \"10.0.0.1:1\"}"], Err("on loopback"));
        check(&["politeness.factor=0"], Err("--set: politeness.factor: 0 is allowed only"));
        let all = "politeness.per_address=0";
        check(&[all], Err("--set: politeness.per_address: 0, no limit, is allowed only when"));
        check(&[all, seed, "fetch.hosts={\"*.test\" = \"127.0.0.1:1\"}"], Ok(()));
    }

    #[test]
    fn an_experiment_needs_the_log_of_searches() {
        let share = "experiment.share=0.1";
        check(&[share], Err("--set: experiment.share: an experiment needs its clicks"));
        check(&[share, "serve.log_searches=true", "experiment.b=flat title=9"], Ok(()));
    }

    #[test]
    fn a_focused_crawl_needs_a_subject() {
        let mode = "scope.mode=focused";
        check(&[mode], Err("--set: scope.mode: \"focused\" needs a subject: set keywords"));
        check(&[mode, "focus.keywords=[\"tidal turbine\"]"], Ok(()));
        check(&[mode, "focus.keywords=[\"-\"]"], Err("focus.keywords: a keyword must have"));
        check(&[mode, "focus.examples=[\"tides.html\"]"], Ok(()));
        check(&["focus.threshold=0.8"], Ok(()));
        check(&["focus.threshold=50"], Err("focus.threshold: a number from 0 to 1 is wanted"));
        check(&[mode, "focus.examples=[\"http://a.test/\"]"], Err("URLs need keywords"));
        check(&[mode, "focus.targets=[\"*.pdf\"]"], Ok(()));
        check(&["focus.targets=papers"], Ok(()));
        check(&["focus.targets=[\"[\"]"], Err("focus.targets: the scope pattern"));
        check(&["focus.targets=pages"], Err("expected \"papers\" or a list"));
        check(
            &["focus.guide=oracle"],
            Err("--set: focus.guide: \"oracle\" is no guide (breadth-first, classi"),
        );
    }

    #[test]
    fn values_without_meaning_are_refused() {
        check(&["corpus.near_duplicate=1.5"], Err("between 0 and 1"));
        check(&["fetch.connections=0"], Err("more than 0"));
        check(&["politeness.factor=nan"], Err("from 0 on"));
        check(&["seeds.urls=[\"ftp://a.test/\"]"], Err("seed 1 \"ftp://a.test/\""));
        check(
            &["scope.deny=[\"re:(\"]"],
            Err("scope.deny: the pattern \"re:(\" cannot be read: unc"),
        );
        check(&["scope.allow=[\"a{b\"]"], Err("scope.allow: the pattern \"a{b\" cannot be read"));
        check(&["search.ranker=titel=5"], Err("search.ranker: \"titel=5\" is no ranker (sta"));
        check(&["experiment.share=1.5"], Err("experiment.share: must be between 0 and 1"));
        check(&["experiment.method=toss"], Err("\"toss\" is not team-draft or balanced"));
        check(&["experiment.b=nearnes=1"], Err("experiment.b: \"nearnes=1\" is no ranker (sta"));
        check(&["serve.log_days=0"], Err("more than 0"));
        check(&["search.steps=0"], Err("search.steps: must be more than 0"));
        check(&["forms.hosts=[\"https://a.test\"]"], Err("the name of one host in small letters"));
        check(&["forms.hosts=[\"a.test:8080\"]"], Ok(()));
        check(&["fetch.render_hosts=[\"a/b\"]"], Err("fetch.render_hosts: \"a/b\": "));
        check(&["fetch.render=http://127.0.0.1:9222"], Ok(()));
        check(&["fetch.render=http://localhost:9222/"], Ok(()));
        check(
            &["fetch.render=on"],
            Err("fetch.render: \"on\" is neither \"off\" nor where a Chromium"),
        );
        check(&["fetch.render=https://127.0.0.1:9222"], Err("nor where a Chromium listens"));
        check(&["fetch.render_at_once=0"], Err("fetch.render_at_once: must be more than 0"));
        check(&["collection.contact=\"a\\nb\""], Err("one line"));
        for contact in ["", "mailto:a@b.test", "a@b.test", "Ann <a@b.test>", "https://b.test/me"] {
            check(&[&format!("collection.contact={contact:?}")], Ok(()));
        }
        for contact in ["bob", "mailto:bob", "@", "www", "ftp://b.test/"] {
            let must = "collection.contact: must lead to you: \"mailto:";
            check(&[&format!("collection.contact={contact:?}")], Err(must));
        }
        check(&["scope.mode=galaxy"], Err("scope.mode: unknown variant `galaxy`"));
    }
}
