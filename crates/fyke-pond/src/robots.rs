//! robots.txt of every host, and the judge's own knowledge of what it forbids (000 "robots.txt").
//!
//! The truth is never read out of the file: each [`PondRobots`] states it a second time as a plain
//! function, so that a mistake in a parser cannot hide itself.

use crate::{Answer, AnswerKind, Ask, Body, Pond, deep, hazards, sitemaps};

/// Who is asking, as far as any robots.txt of the pond distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// The product token `fyke`.
    Fyke,
    /// Everybody else: the group `*`.
    Other,
}

/// One robots.txt and what it means.
#[derive(Clone, Copy, Debug)]
pub struct PondRobots {
    pub answer: fn(&Pond, &Ask) -> Answer,
    /// Whether this agent must not fetch this path (with its query). `/robots.txt` is always free.
    pub forbids: fn(Agent, &str) -> bool,
    /// Crawl-delay, 0 where none is asked for.
    pub delay_ms: u64,
}

/// A robots.txt that allows everything.
pub const FREE: &str = "User-agent: *\nDisallow:\n";

/// Everything is allowed, in so many words.
pub const OPEN: PondRobots =
    PondRobots { answer: |_, _| text(FREE), forbids: |_, _| false, delay_ms: 0 };

/// What ordinary hosts forbid: sections that their pages do link to.
pub const FORBIDDEN: [&str; 2] = ["/private/", "/search"];

const ORDINARY: PondRobots = PondRobots {
    answer: ordinary,
    forbids: |_, path| FORBIDDEN.iter().any(|prefix| path.starts_with(prefix)),
    delay_ms: 0,
};

/// The answer to `/robots.txt`.
pub fn answer(pond: &Pond, ask: &Ask) -> Answer {
    (rules(pond, ask.host).answer)(pond, ask)
}

/// The rules of a host.
pub fn rules(pond: &Pond, host: &str) -> PondRobots {
    if pond.is_deep {
        return if host == deep::SCRIPTED { deep::SCRIPTED_RULES } else { OPEN };
    }
    hazards::row(pond, host).map_or(ORDINARY, |row| row.rules)
}

/// Who is asking, by User-Agent.
pub fn agent(user_agent: Option<&str>) -> Agent {
    let is_fyke = user_agent.is_some_and(|name| name.to_ascii_lowercase().contains("fyke"));
    if is_fyke { Agent::Fyke } else { Agent::Other }
}

/// A robots.txt of these lines.
pub fn text(lines: &str) -> Answer {
    Answer {
        status: 200,
        headers: vec![("content-type", "text/plain; charset=utf-8".into())],
        body: Body::Bytes(lines.as_bytes().to_vec()),
        kind: AnswerKind::Robots,
    }
}

fn ordinary(pond: &Pond, ask: &Ask) -> Answer {
    let mut lines = String::from("# Robots are welcome, with two exceptions.\nUser-agent: *\n");
    for prefix in FORBIDDEN {
        lines += &format!("Disallow: {prefix}\n");
    }
    if sitemaps::announced(pond, ask.host) {
        lines += &format!("\nSitemap: http://{}/sitemap.xml\n", ask.host);
    }
    text(&lines)
}
