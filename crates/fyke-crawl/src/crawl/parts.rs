//! Pages that go through a browser, and what their scripts ask for: each part is a request like any other, in the queue of its
//! host, behind its robots.txt and its gap. A part has no row: what counts is the page that it made.

use super::dispatch::{RoomNeeded, Started};
use super::fetches::{Errand, Fetched};
use super::hosts::Leave;
use super::letter::Letter;
use super::robots::RobotsFor;
use super::shard::Shard;
use crate::fetch::{Fetch, Outcome};
use crate::frontier::{HostId, Origin, Task};
use crate::render::{PartAnswer, PartAsked};
use crate::verdict::{HostStanding, asks_for_later, judge_failure};
use fyke_store::{RowKind, StoreError};
use fyke_web::Url;
use std::collections::HashMap;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What pages that are being rendered ask of this thread's hosts.
#[derive(Debug)]
pub(super) struct PageParts {
    /// Where the renderings of this thread put their requests.
    asks: UnboundedSender<PartAsked>,
    asked: UnboundedReceiver<PartAsked>,
    waiting: HashMap<u64, WaitingPart>,
    next: u64,
}

/// A part in the queue of its host.
#[derive(Debug)]
struct WaitingPart {
    asked: PartAsked,
    /// The robots.txt of its host was asked for on its behalf.
    has_asked_rules: bool,
}

impl Default for PageParts {
    fn default() -> PageParts {
        let (asks, asked) = unbounded_channel();
        PageParts { asks, asked, waiting: HashMap::new(), next: 0 }
    }
}

impl PageParts {
    /// The next request of a page of this thread.
    pub(super) async fn next(&mut self) -> Option<PartAsked> {
        self.asked.recv().await
    }

    /// Whether a page waits for any of them; those that no page waits for any more are let go.
    pub(super) fn are_awaited(&mut self) -> bool {
        self.waiting.retain(|_, part| !part.asked.reply.is_closed());
        !self.waiting.is_empty()
    }

    /// The URL of a part whose page still waits for it.
    pub(super) fn url(&mut self, number: u64) -> Option<Url> {
        let part = self.waiting.get(&number)?;
        if part.asked.reply.is_closed() {
            self.waiting.remove(&number);
            return None;
        }
        Some(part.asked.url.clone())
    }

    /// It is not asked for.
    pub(super) fn refuse(&mut self, number: u64) {
        self.waiting.remove(&number);
    }

    fn answer(&mut self, number: u64, answer: PartAnswer) {
        if let Some(part) = self.waiting.remove(&number) {
            // A page whose time is up waits no longer.
            let _ = part.asked.reply.send(answer);
        }
    }
}

impl<F: Fetch> Shard<'_, F> {
    /// Has a page rendered, if it is one that is to be; none then: it comes back when that is done.
    pub(super) fn render(&mut self, fetched: Fetched) -> Option<Fetched> {
        let Some(renderer) = self.node.renderer.clone() else { return Some(fetched) };
        let (Errand::Row(wanted), Outcome::Captured(answer)) = (&fetched.errand, &fetched.outcome)
        else {
            return Some(fetched);
        };
        if !matches!(wanted.row.kind, RowKind::Page | RowKind::Query) {
            return Some(fetched);
        }
        let Some(cause) = renderer.cause(&answer.capture) else { return Some(fetched) };
        let asks = self.parts.asks.clone();
        self.fetches.render(fetched, cause, (renderer, asks));
        None
    }

    /// Gives the request of a page to the thread that owns its host.
    pub(super) fn send_part(&mut self, asked: PartAsked) -> Result<(), StoreError> {
        self.mail.write(asked.url.domain_hash(), Letter::Part(asked));
        self.deliver()
    }

    /// Queues a part at its host.
    pub(super) fn take_part(&mut self, asked: PartAsked) -> Result<(), StoreError> {
        let host = self.host(asked.url.authority(), asked.url.scheme() == "https")?;
        if self.hosts.closed.has(host) {
            return Ok(());
        }
        let number = self.parts.next;
        self.parts.next += 1;
        self.parts.waiting.insert(number, WaitingPart { asked, has_asked_rules: false });
        self.hosts.frontier.push_urgent(host, Task::Part(number));
        Ok(())
    }

    /// Asks for a part, where robots.txt lets it.
    pub(super) fn ask_part(
        &mut self,
        host: HostId,
        leave: &Leave,
        (number, url): (u64, Url),
    ) -> Result<Started, StoreError> {
        match leave {
            Leave::Yes => {
                let bytes = self.node.options.max_bytes as u64;
                let need = RoomNeeded { page: false, again: false, bytes };
                return self.ask(host, Errand::Part { number, url }, need);
            }
            Leave::Unruled => {
                let robots = url.at("/robots.txt").ok();
                let part = self.parts.waiting.get_mut(&number).filter(|p| !p.has_asked_rules);
                // A farm has more hosts than its pages are worth.
                if let (Some(part), Some(robots)) = (part, robots)
                    && (!self.hosts.is_unasked(host) || self.budgets.counts_robots(host))
                {
                    part.has_asked_rules = true;
                    let RobotsFor { of, hops } = RobotsFor { of: Origin::of(&url), hops: 0 };
                    self.hosts.frontier.push_urgent(host, Task::Part(number));
                    self.hosts.frontier.push_urgent(host, Task::Robots { of, url: robots, hops });
                    return Ok(Started::Freed);
                }
            }
            Leave::Forbidden(_) | Leave::Closed | Leave::Unresolved => {}
        }
        self.parts.refuse(number);
        Ok(Started::Freed)
    }

    /// Takes the answer to a part.
    pub(super) fn part_answer(
        &mut self,
        host: HostId,
        number: u64,
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        let now = self.node.now();
        match outcome {
            Outcome::Captured(captured) => {
                let capture = captured.capture;
                let asks_for_rest = matches!(capture.status, 429 | 500..=599);
                let held = asks_for_rest.then(|| asks_for_later(&capture, now));
                self.parts.answer(number, Ok(Box::new(capture)));
                match held {
                    Some(held @ HostStanding::Held(_)) => self.hosts.stand(host, held, now),
                    _ => Ok(()),
                }
            }
            Outcome::Failed(failed) => {
                self.node.counters.count_error();
                let standing = judge_failure(&failed, 1).host;
                self.parts.answer(number, Err(failed.detail));
                self.hosts.stand(host, standing, now)
            }
        }
    }
}
