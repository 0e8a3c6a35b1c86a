//! Links and redirects out of one page (001 "Doorway pages", "Domain flooding").

use super::{PageEvidence, SpamView, beyond};
use fyke_web::html::{HtmlToken, Scanner, name};
use std::collections::{BTreeMap, HashMap};

/// Bytes of scripts that are looked through.
const MOST_SCRIPT: usize = 20_000;

/// A page that sends its readers to another host at once, by refresh or script, though it has a text for crawlers.
pub(super) const SENDS_AWAY: PageEvidence = PageEvidence {
    name: "sends-away",
    what: "sends its readers to another host at once",
    value: |view| {
        let own = view.capture.url.domain_hash();
        let refreshes = view.page.refresh.as_ref().is_some_and(|url| url.domain_hash() != own);
        f32::from(u8::from(refreshes || sends_by_script(view)))
    },
};

/// Whether a script sends every reader to an absolute URL: it does so outside of any function.
fn sends_by_script(view: &SpamView<'_>) -> bool {
    const WAYS: [&str; 4] =
        ["location.replace(", "location.href=", "location=", "location.assign("];
    let content = &view.page.content;
    if memmem(content, "location").is_none() {
        return false;
    }
    let scripts = Scanner::new(content).filter_map(|token| match token {
        HtmlToken::Raw(n, text) if n == name("script") => Some(text),
        _ => None,
    });
    scripts.take(20).any(|script| {
        let script = &script[..script.floor_char_boundary(MOST_SCRIPT)];
        let plain: String = script.split_whitespace().collect();
        let is_guarded =
            plain.contains("function") || plain.contains("=>") || plain.contains("if(");
        !is_guarded
            && WAYS.iter().any(|way| {
                let at = plain.find(way).map(|at| &plain[at + way.len()..]);
                at.is_some_and(|rest| rest.trim_start_matches(['"', '\'', '(']).starts_with("http"))
            })
    })
}

fn memmem(text: &str, word: &str) -> Option<usize> {
    text.find(word)
}

/// Links to other domains that the page speaks for, by the domain of their target.
fn foreign(view: &SpamView<'_>) -> HashMap<u64, u32> {
    let own = view.capture.url.domain_hash();
    let mut counts = HashMap::new();
    for link in view.page.links.iter().filter(|link| !link.nofollow) {
        let domain = link.url.domain_hash();
        if domain != own {
            *counts.entry(domain).or_default() += 1;
        }
    }
    counts
}

/// Links to other domains for each hundred words.
pub(super) const OUT: PageEvidence = PageEvidence {
    name: "links-out",
    what: "has little text and many links to other domains",
    value: |view| {
        let links: u32 = foreign(view).values().sum();
        beyond(links as f32 * 100.0 / (view.document.words as f32 + 50.0), 8.0, 16.0)
    },
};

/// Several links to other domains that all lead to one.
pub(super) const ONE_TARGET: PageEvidence = PageEvidence {
    name: "one-target",
    what: "links to one other domain only, again and again",
    value: |view| {
        let foreign = foreign(view);
        let links: u32 = foreign.values().sum();
        let inside = view.page.links.len() as u32 - links.min(view.page.links.len() as u32);
        if foreign.len() == 1 && links >= 3 && inside <= links { 1.0 } else { 0.0 }
    },
};

/// One anchor text for many targets on other domains.
pub(super) const SAME_ANCHORS: PageEvidence = PageEvidence {
    name: "same-anchors",
    what: "calls many pages by one name",
    value: |view| {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for link in view.links.iter().filter(|link| !link.anchor.is_empty()) {
            *counts.entry(link.anchor.as_str()).or_default() += 1;
        }
        let all: u32 = counts.values().sum();
        let most = counts.values().max().copied().unwrap_or(0);
        if all < 8 { 0.0 } else { beyond(most as f32 / all as f32, 0.5, 0.3) }
    },
};
