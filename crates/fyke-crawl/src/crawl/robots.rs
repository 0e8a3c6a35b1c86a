//! robots.txt and the sitemaps it names (000 "Robots.txt", RFC 9309): asked for before the first page
//! of a host, kept for 24 hours, across restarts too. 4xx allows everything; 5xx, 429 and no answer
//! forbid everything: tried again with back-off, and after three times the host's URLs wait for the
//! next run with the reason robots.unreachable.

use super::Crawl;
use super::hosts::delay;
use crate::fetch::{Fetch, Outcome};
use crate::frontier::{Entry, Task};
use crate::options::{AGENT, Sitemaps};
use crate::verdict::{Standing, asks_for_later};
use fyke_store::{Reason, RobotsCopy, StoreError};
use fyke_web::robots::Verdict;
use fyke_web::{Capture, Robots, Url};

/// How long a robots.txt binds, in milliseconds.
pub(super) const FRESH: u64 = 24 * 3_600_000;
const MOST_HOPS: u8 = 5;
const MOST_TRIES: u32 = 3;
const MOST_BYTES: usize = 500 * 1024;
const RING: &str = "robots.txt files that lead to each other";
/// Sitemaps and sitemap URLs of one host.
const MOST_SITEMAPS: usize = 50;
const MOST_SITEMAP_URLS: usize = 50_000;

/// The rule a URL is refused by, in words.
pub(super) fn rule(verdict: &Verdict) -> String {
    match (&verdict.rule, verdict.line) {
        (Some(rule), Some(line)) => format!("{rule} (line {line})"),
        (Some(rule), None) => rule.clone(),
        (None, _) => String::new(),
    }
}

/// The text of a robots.txt, none when it did not come whole: what is missing might forbid. What
/// lies past the limit never counts.
pub(crate) fn text(capture: &Capture) -> Option<Vec<u8>> {
    let (body, cut) = capture.body(MOST_BYTES);
    let is_whole = !cut && capture.truncated.is_none() || body.len() >= MOST_BYTES;
    is_whole.then_some(body)
}

impl<F: Fetch> Crawl<'_, F> {
    /// Puts the host's robots.txt before the URL that was to be fetched.
    pub(super) fn queue_robots(&mut self, entry: Entry, authority: &str) {
        let url = entry.url.at("/robots.txt");
        self.frontier.push_urgent(entry);
        if let Ok(url) = url {
            let task = Task::Robots { of: authority.to_owned(), hops: 0 };
            self.frontier.push_urgent(Entry { id: url.id(), url, priority: 1, task });
        }
        self.frontier.release(authority, self.clock.now());
    }

    /// Takes the answer to a robots.txt request; `asked` is the host that gave it.
    pub(super) fn robots_answer(
        &mut self,
        asked: &str,
        of: &str,
        hops: u8,
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        let capture = match outcome {
            Outcome::Captured(captured) => captured.capture,
            Outcome::Failed(failed) => {
                self.progress.errors += 1;
                let detail = format!("{}: {}", failed.reason.name(), failed.detail);
                return self.robots_failed(of, &detail);
            }
        };
        match capture.status {
            200 => {
                self.stand(asked, Standing::Well)?;
                match text(&capture) {
                    Some(body) => self.robots_known(of, 200, body),
                    None => self.robots_failed(of, "cut short or not decodable"),
                }
            }
            301 | 302 | 303 | 307 | 308 => {
                self.stand(asked, Standing::Well)?;
                self.robots_redirect(of, hops, &capture)
            }
            429 | 500..=599 => {
                self.progress.errors += 1;
                if let held @ Standing::Held(_) = asks_for_later(&capture, now) {
                    self.stand(asked, held)?;
                }
                self.robots_failed(of, &format!("status {}", capture.status))
            }
            status => {
                self.stand(asked, Standing::Well)?;
                self.robots_known(of, if status < 400 { 404 } else { status }, Vec::new())
            }
        }
    }

    /// Follows a redirect by way of the target's own queue, so that its politeness binds. More than
    /// five, or one that leads nowhere, means there is no robots.txt.
    fn robots_redirect(&mut self, of: &str, hops: u8, at: &Capture) -> Result<(), StoreError> {
        let target = at.header("location").and_then(|location| at.url.join(location).ok());
        let Some(url) = target.filter(|_| hops < MOST_HOPS) else {
            return self.robots_known(of, 404, Vec::new());
        };
        if self.closes_ring(of, &at.url, &url) {
            return self.robots_failed(of, RING);
        }
        let elsewhere = Some(url.authority()).filter(|at| *at != of).map(str::to_owned);
        self.wait_for_robots(of, elsewhere)?;
        let task = Task::Robots { of: of.to_owned(), hops: hops + 1 };
        self.frontier.push_urgent(Entry { id: url.id(), url, priority: 1, task });
        Ok(())
    }

    /// Whether the way from one robots.txt to the next leads back to where it began, or to a host
    /// that itself waits for this one: neither would ever be asked.
    fn closes_ring(&self, of: &str, from: &Url, to: &Url) -> bool {
        if to.authority() == of {
            return from.authority() != of && to.path_and_query() == "/robots.txt";
        }
        let waits_for = |at: &str| self.hosts.get(at).and_then(|host| host.robots_at.as_deref());
        std::iter::successors(Some(to.authority()), |at| waits_for(at)).any(|at| at == of)
    }

    /// The host waits while its robots.txt is looked for elsewhere; none ends the wait.
    fn wait_for_robots(&mut self, of: &str, elsewhere: Option<String>) -> Result<(), StoreError> {
        self.frontier.set_waits(of, elsewhere.is_some());
        self.host(of)?.robots_at = elsewhere;
        Ok(())
    }

    fn robots_known(&mut self, of: &str, status: u16, body: Vec<u8>) -> Result<(), StoreError> {
        let now = self.clock.now();
        let robots = Robots::parse(&body, AGENT);
        self.frontier.set_delay(of, delay(&robots));
        let fetched = i64::try_from(now).unwrap_or(i64::MAX);
        let host = self.host(of)?;
        host.robots = Some((robots, now + FRESH));
        host.robots_tries = 0;
        host.row.robots = Some(RobotsCopy { fetched, status, body });
        self.wait_for_robots(of, None)?;
        self.queue_sitemaps(of)?;
        self.changed.insert(of.to_owned());
        self.journal.touch(now);
        Ok(())
    }

    /// robots.txt could not be had: everything is forbidden for now.
    pub(super) fn robots_failed(&mut self, of: &str, detail: &str) -> Result<(), StoreError> {
        self.wait_for_robots(of, None)?;
        let host = self.host(of)?;
        host.robots_tries += 1;
        if host.robots_tries >= MOST_TRIES {
            return self.close(of, Some(Reason::RobotsUnreachable), detail);
        }
        self.stand(of, Standing::Trouble(format!("robots.txt: {detail}")))
    }

    /// Queues the sitemaps that the host's robots.txt names.
    pub(super) fn queue_sitemaps(&mut self, of: &str) -> Result<(), StoreError> {
        if self.options.sitemaps != Sitemaps::Auto {
            return Ok(());
        }
        let named = self.hosts.get(of).and_then(|host| host.robots.as_ref());
        let lines = named.map(|(robots, _)| robots.sitemaps.clone()).unwrap_or_default();
        let urls = lines.iter().filter_map(|line| Url::parse(line.trim()).ok());
        for url in urls.take(MOST_SITEMAPS).collect::<Vec<_>>() {
            self.discover_sitemap(url, of)?;
        }
        Ok(())
    }

    /// How many URLs this sitemap's host may still give by sitemaps; counts `wanted` of them.
    pub(super) fn sitemap_room(&mut self, of: &str, wanted: usize) -> Result<usize, StoreError> {
        let host = self.host(of)?;
        let room = MOST_SITEMAP_URLS.saturating_sub(host.sitemap_urls).min(wanted);
        host.sitemap_urls += room;
        Ok(room)
    }

    /// Whether one more sitemap may be read for this host.
    pub(super) fn counts_sitemap(&mut self, of: &str) -> bool {
        self.hosts.get_mut(of).is_none_or(|host| {
            host.sitemaps += 1;
            host.sitemaps <= MOST_SITEMAPS
        })
    }
}
