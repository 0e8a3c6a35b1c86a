//! Feeds that hubs tell of (W3C WebSub). A hub that a feed names has a row of its own, whose URL says for which topic it
//! is asked; so robots.txt, gaps and addresses hold for it as for any URL, and its lease is renewed as a visit that is
//! due. What a hub brings is read as an answer of the feed. Visits go on meanwhile, less often while they find nothing
//! that the hub had not told (`feed_visits.rs`), so that one which is silent, or lies, costs time and no item.

use super::answers::{FollowUp, UrlAnswer};
use super::discovery::Found;
use super::fetches::{Errand, Fetched, Wanted};
use super::read::ReadAnswer;
use super::shard::Shard;
use crate::budget::Reserved;
use crate::feed_visits::MOST_SLOWED;
use crate::fetch::{Captured, Fetch, Outcome};
use crate::frontier::HostId;
use crate::push::{asking, hub_row, is_token, new_subscription};
use crate::verdict::{UrlVerdict, Verdict};
use fyke_store::push::WaitingMessage;
use fyke_store::{
    FeedVisits, PushFolder, PushMessage, PushNews, PushPace, Reason, RowKind, StoreError,
    Subscription,
};
use fyke_web::feed::Feed;
use fyke_web::{Capture, Url, UrlId};
use std::collections::HashSet;
use std::time::Duration;

/// How often messages are looked for, in milliseconds, and how many are taken in at once.
const LOOK: u64 = 200;
const MOST_TAKEN: usize = 16;
/// A hub that did not confirm is asked again after this, in milliseconds; each time after twice as long, up to …
const SOONEST: i64 = 3_600_000;
const MOST_DOUBLED: u16 = 7;
/// A lease is renewed when so many quarters of it are over.
const RENEWED: i64 = 3;
const QUARTERS: i64 = 4;

/// The milliseconds after which a hub is asked again that did not confirm so many times in a row.
fn wait(failed: u16) -> i64 {
    SOONEST << failed.saturating_sub(1).min(MOST_DOUBLED)
}

fn millis(now: u64) -> i64 {
    i64::try_from(now).unwrap_or(i64::MAX)
}

/// When a lease is renewed that runs from one time to another.
fn renewal(from: i64, until: i64) -> i64 {
    from + (until - from) / QUARTERS * RENEWED
}

/// How the row of a hub stands after an answer, or what came instead.
fn told(verdict: UrlVerdict, outcome: &Outcome, topic: &str) -> (Reason, String) {
    let status = match outcome {
        Outcome::Failed(failed) => return (failed.reason, failed.detail.clone()),
        Outcome::Captured(answer) => answer.capture.status,
    };
    match verdict {
        UrlVerdict::Final(..) if (200..300).contains(&status) => {
            (Reason::Type, format!("a hub, asked to tell of {topic}"))
        }
        UrlVerdict::Final(reason, why) => (reason, why),
        UrlVerdict::Redirect(to) => {
            (Reason::HttpOther, format!("the hub leads to {to}, where nothing is posted"))
        }
        UrlVerdict::Again | UrlVerdict::Later => {
            (Reason::Http5xx, format!("status {status}: the hub asks to come later"))
        }
    }
}

/// The same feed after a visit that found nothing which a hub had not told; one that found more is visited as usual.
pub(super) fn slowed(feed: FeedVisits, has_missed: bool) -> FeedVisits {
    let slow = |pace: PushPace| PushPace {
        doubled: if has_missed { 0 } else { (pace.doubled + 1).min(MOST_SLOWED as u8) },
        asked: None,
        ..pace
    };
    FeedVisits { push: feed.push.map(slow), ..feed }
}

impl<F: Fetch> Shard<'_, F> {
    fn hubs(&self) -> PushFolder {
        PushFolder::of(self.cell.collection.root())
    }

    /// Subscribes to a feed that was asked for, where it names a hub and no subscription stands. Anybody may write a
    /// feed that names any host: one with an account is no hub for us.
    pub(super) fn subscribe(&mut self, url: &Url, feed: &Feed) -> Result<(), StoreError> {
        let accounts = &self.node.options.credentials;
        let is_fit = |hub: &&Url| hub.scheme().starts_with("http") && !accounts.are_for(hub);
        let Some(hub) = feed.hubs.iter().find(is_fit) else { return Ok(()) };
        if self.node.options.push.is_none() || accounts.are_for(url) {
            return Ok(());
        }
        let (hubs, topic) = (self.hubs(), feed.own.as_ref().unwrap_or(url));
        let before = hubs.subscription(url.id())?;
        let is_same =
            |held: &Subscription| held.hub == hub.as_str() && held.topic == topic.as_str();
        if before.is_none() && !hubs.has_room()? {
            return Ok(());
        }
        let Some(row) = hub_row(hub, topic) else { return Ok(()) };
        match before.filter(is_same) {
            Some(held) if self.will_be_asked(&row, &held)? => return Ok(()),
            // Its hub would never be asked again: it is, for the same subscription.
            Some(_) => {}
            None => {
                let Some(new) = new_subscription(url, topic, hub) else { return Ok(()) };
                // Before the hub can be asked: it may ask back at once.
                hubs.keep(url.id(), &new)?;
                self.discovery.note_pace(url.id(), None)?;
            }
        }
        let found = Found { parent: Some(url.id()), depth: 1, ..Found::SEED };
        self.discovery.discover_hub(&mut self.mail, &row, found)?;
        self.deliver()
    }

    /// Whether the hub of a subscription will be asked without our doing: its row waits, or says when. The row of
    /// another cell cannot be looked at; that it was asked of late, or tells still, has to do.
    fn will_be_asked(&self, hub: &Url, held: &Subscription) -> Result<bool, StoreError> {
        if self.cell.is_elsewhere(hub) {
            let now = millis(self.node.now());
            let is_late = now.saturating_sub(held.asked) > wait(u16::MAX);
            return Ok(held.holds(now) || !is_late);
        }
        let row = self.cell.ledger_of(hub.id()).get(hub.id())?;
        Ok(row.is_some_and(|row| row.reason == Reason::Queued || row.due.is_some()))
    }

    /// What is posted to a hub whose turn has come; none where nobody wants it any more.
    pub(super) fn posting(&self, wanted: &Wanted) -> Result<Option<(Url, String)>, StoreError> {
        let (Some(options), Some(feed)) = (&self.node.options.push, wanted.row.parent) else {
            return Ok(None);
        };
        let Some(held) = self.hubs().subscription(feed)? else { return Ok(None) };
        // It may have got an account since.
        let is_fit = |hub: &Url| !self.node.options.credentials.are_for(hub);
        let hub = Url::parse(&held.hub).ok().filter(is_fit);
        let topic = Url::parse(&held.topic).ok();
        let row = hub.as_ref().zip(topic.as_ref()).and_then(|(hub, topic)| hub_row(hub, topic));
        if row.is_none_or(|row| row.id() != wanted.id) {
            return Ok(None);
        }
        // From now on it may ask back.
        let now = millis(self.node.now());
        self.hubs().update(feed, |held| held.asked = now)?;
        Ok(hub.map(|hub| (hub, asking(&held, feed, options))))
    }

    /// A hub is not asked: nobody wants that any more.
    pub(super) fn leave_hub(&mut self, mut wanted: Wanted) -> Result<(), StoreError> {
        self.node.due.take(wanted.id);
        let what = "a hub that no feed names any more, or has an account, or [push] is off";
        let detail = what.to_owned();
        (wanted.row.reason, wanted.row.detail, wanted.row.due) = (Reason::Type, detail, None);
        self.answers.put(&wanted, self.node.now()).map(drop)
    }

    /// Takes in what a hub answered. Whether it will tell it says later, by asking back.
    pub(super) fn hub_answer(
        &mut self,
        host: HostId,
        reserved: Reserved,
        mut answer: UrlAnswer,
    ) -> Result<(), StoreError> {
        let (now, due) = (self.node.now(), answer.wanted.row.due);
        let Verdict { url, host: standing } = self.answers.judge(&mut answer, now)?;
        self.count(host, reserved, false, answer.outcome.bytes())?;
        let UrlAnswer { mut wanted, outcome, .. } = answer;
        self.node.due.take(wanted.id);
        self.retries.forget(wanted.id);
        wanted.row.status = match &outcome {
            Outcome::Captured(answer) => answer.capture.status,
            Outcome::Failed(failed) => failed.status,
        };
        let topic = wanted.row.parent.map_or(Ok(None), |feed| self.hubs().subscription(feed))?;
        let (reason, detail) = told(url, &outcome, topic.as_ref().map_or("", |held| &held.topic));
        let (failed, due) = self.next_asking(&wanted, due, topic.as_ref())?;
        let row = &mut wanted.row;
        (row.reason, row.detail) = (reason, detail);
        (row.failed, row.due) = (failed, Some(due));
        self.answers.put(&wanted, now)?;
        self.hosts.stand(host, standing, now)
    }

    /// How often in a row a hub that has answered did not confirm, and when it is asked again. It may ask back before
    /// it answers: then its row, which was due `before`, says another time by now, or a first subscription stands.
    fn next_asking(
        &self,
        wanted: &Wanted,
        before: Option<i64>,
        held: Option<&Subscription>,
    ) -> Result<(u16, i64), StoreError> {
        let (id, now) = (wanted.id, millis(self.node.now()));
        let failed = wanted.row.failed.saturating_add(1);
        let usual = (failed, now.saturating_add(wait(failed)));
        if !wanted.is_again {
            let confirmed = held.filter(|held| held.holds(now));
            return Ok(confirmed.map_or(usual, |held| (0, renewal(now, held.until))));
        }
        let settled = self.cell.ledger_of(id).get(id)?.filter(|row| row.due != before);
        Ok(settled.and_then(|row| Some((row.failed, row.due?))).unwrap_or(usual))
    }

    /// Counts items of a feed that its hub has not told of.
    pub(super) fn count_missed(&self, id: UrlId, missed: u64) -> Result<(), StoreError> {
        match missed {
            0 => Ok(()),
            _ => self.hubs().update(id, |held| held.missed += missed).map(drop),
        }
    }

    /// Takes in what hubs have brought to feeds of this thread.
    pub(super) fn take_pushes(&mut self, now: u64) -> Result<(), StoreError> {
        if self.node.options.push.is_none() || now < self.pushes_looked + LOOK {
            return Ok(());
        }
        self.pushes_looked = now;
        let hubs = self.hubs();
        let waiting = hubs.waiting()?;
        let mine = waiting.into_iter().filter(|one| self.mail.is_mine(one.domain));
        let mine: Vec<WaitingMessage> = mine.take(MOST_TAKEN).collect();
        if mine.is_empty() {
            return Ok(());
        }
        let (mut taken, mut prints) = (Vec::with_capacity(mine.len()), HashSet::new());
        for waiting in &mine {
            let Some(mut message) = hubs.read(waiting)? else { continue };
            let body = std::mem::take(&mut message.body);
            let held = hubs.subscription(UrlId(message.feed))?;
            if let Some(held) = held.filter(|held| is_token(held, &message.token)) {
                self.take_push(&held, (&message, body), &mut prints)?;
                taken.push(message);
            }
        }
        // What they brought is safe before they count as taken in, and are gone.
        self.cell.sync()?;
        for message in &taken {
            hubs.update(UrlId(message.feed), |held| held.take(message))?;
        }
        mine.iter().try_for_each(|waiting| hubs.remove(waiting))
    }

    /// Takes in one message, unless its content came before.
    fn take_push(
        &mut self,
        held: &Subscription,
        (message, body): (&PushMessage, Vec<u8>),
        prints: &mut HashSet<(u64, u64)>,
    ) -> Result<(), StoreError> {
        let id = UrlId(message.feed);
        match &message.news {
            PushNews::Confirmed(lease) => {
                let until = message.end_of_lease(*lease);
                self.settle_hub(held, renewal(message.time, until), true)?;
                let before = self.cell.ledger_of(id).get(id)?.and_then(|row| row.feed?.push);
                let new = PushPace { doubled: 0, until, asked: None };
                let pace = before.map_or(new, |before| PushPace { until, ..before });
                self.discovery.note_pace(id, Some(pace))
            }
            PushNews::Denied(_) => {
                self.settle_hub(held, message.time + wait(u16::MAX), false)?;
                self.discovery.note_pace(id, None)
            }
            PushNews::Content { media, print } => {
                let is_new = !held.prints.contains(print) && prints.insert((message.feed, *print));
                if is_new { self.take_content(id, media.clone(), body) } else { Ok(()) }
            }
        }
    }

    /// Writes into the row of a hub when it is asked again.
    fn settle_hub(
        &mut self,
        held: &Subscription,
        due: i64,
        has_confirmed: bool,
    ) -> Result<(), StoreError> {
        let [hub, topic] = [&held.hub, &held.topic].map(|text| Url::parse(text).ok());
        let row = hub.as_ref().zip(topic.as_ref()).and_then(|(hub, topic)| hub_row(hub, topic));
        let Some(url) = row.filter(|url| !self.cell.is_elsewhere(url)) else { return Ok(()) };
        self.cell.touch(self.node.now());
        let update = self.cell.ledger_of(url.id()).update(url.id(), |row| {
            if has_confirmed {
                row.failed = 0;
            }
            row.due = Some(due);
            row.reason != Reason::Queued
        });
        update.map(drop)
    }

    /// Reads what a hub brought as an answer of the feed.
    fn take_content(&mut self, id: UrlId, media: String, body: Vec<u8>) -> Result<(), StoreError> {
        let ledger = self.cell.ledger_of(id);
        let Some(position) = ledger.position(id)? else { return Ok(()) };
        let Some((_, mut row)) = ledger.at(position)? else { return Ok(()) };
        let Ok(url) = Url::parse(&row.url) else { return Ok(()) };
        if row.kind != RowKind::Feed || row.private {
            return Ok(());
        }
        if let Some(pace) = row.feed.as_mut().and_then(|feed| feed.push.as_mut()) {
            pace.asked = pace.asked.or(row.fetched);
        }
        let now = self.node.now();
        let headers = vec![("Content-Type".to_owned(), media)];
        let capture = Capture {
            url: url.clone(),
            time: millis(now),
            status: 200,
            headers,
            payload: body,
            truncated: None,
        };
        let host = self.host(url.authority(), url.scheme() == "https")?;
        let wanted = Wanted { is_pushed: true, ..Wanted::new(id, url, position, row) };
        let captured = Captured { capture, request: Vec::new(), elapsed: Duration::ZERO };
        let reserved = Reserved { page: false, again: false, bytes: 0, is_rest: false };
        let (errand, outcome) = (Errand::Row(Box::new(wanted)), Outcome::Captured(captured));
        let fetched = Fetched { host, errand, outcome, reserved, rendered: None };
        let read = self.fetches.read_pushed(fetched);
        let collection = self.cell.collection;
        collection.group(|| {
            self.pushed(read)?;
            self.deliver()
        })
    }

    /// Writes what was read of it, as of a visit; what is no feed is left out.
    fn pushed(&mut self, read: ReadAnswer) -> Result<(), StoreError> {
        let ReadAnswer { fetched: Fetched { host, errand, outcome, .. }, content, packed } = read;
        let Errand::Row(wanted) = errand else { return Ok(()) };
        let is_feed = matches!(
            content,
            crate::verdict::AnswerContent::Feed(_) | crate::verdict::AnswerContent::Same
        );
        if !is_feed {
            return Ok(());
        }
        let (wanted, is_rest, rendering) = (*wanted, false, None);
        let mut answer = UrlAnswer { wanted, outcome, content, packed, is_rest, rendering };
        let now = self.node.now();
        let Verdict { url, .. } = self.answers.judge(&mut answer, now)?;
        let UrlAnswer { wanted, outcome, content, .. } = &answer;
        let found = super::again::judge_again(wanted, outcome, content, &url);
        let follow_up: FollowUp = self.answers.write_again(answer, found, url, now)?;
        self.follow_up(host, follow_up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_that_does_not_confirm_is_asked_less_and_less_often() {
        let hours = |failed| wait(failed) / 3_600_000;
        assert_eq!([1, 2, 3, 8, 9, u16::MAX].map(hours), [1, 2, 4, 128, 128, 128]);
    }

    #[test]
    fn a_lease_is_renewed_before_it_ends() {
        assert_eq!([renewal(1_000, 5_000), renewal(1_000, 1_001)], [4_000, 1_000]);
    }

    #[test]
    fn a_feed_is_visited_as_usual_again_when_a_hub_left_something_out() {
        let push = PushPace { doubled: 2, until: 9, asked: Some(3) };
        let feed =
            FeedVisits { every: 30, skip_hours: 0, skip_days: 0, keeps: 60, push: Some(push) };
        let doubled = |feed: FeedVisits| feed.push.map(|push| (push.doubled, push.asked));
        assert_eq!(doubled(slowed(feed, false)), Some((3, None)));
        assert_eq!(doubled(slowed(feed, true)), Some((0, None)));
        let most = (0..99).fold(feed, |feed, _| slowed(feed, false));
        assert_eq!(doubled(most), Some((MOST_SLOWED as u8, None)));
        assert_eq!(slowed(FeedVisits { push: None, ..feed }, false).push, None);
    }
}
