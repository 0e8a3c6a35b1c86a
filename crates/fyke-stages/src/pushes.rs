//! Feeds that hubs tell of, as `fyke stats` and `fyke why` show them; never their secrets.

use crate::show::{count, moment};
use fyke_store::{PushFolder, StoreError, Subscription, SubscriptionState};
use fyke_web::UrlId;
use serde::Serialize;
use std::path::Path;

/// The subscriptions of a collection in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PushTally {
    /// Feeds, those whose hubs have confirmed, those not yet (or no more), and those whose hubs refused.
    pub feeds: u64,
    pub held: u64,
    pub open: u64,
    pub refused: u64,
    /// Messages, those that came twice, and items that visits found and no message had brought.
    pub messages: u64,
    pub repeats: u64,
    pub missed: u64,
}

impl PushTally {
    fn add(&mut self, of: &Subscription, now: i64) {
        self.feeds += 1;
        match of.state {
            _ if of.holds(now) => self.held += 1,
            SubscriptionState::Refused(_) => self.refused += 1,
            SubscriptionState::Asked | SubscriptionState::Held => self.open += 1,
        }
        self.messages += of.messages;
        self.repeats += of.repeats;
        self.missed += of.missed;
    }

    /// In a sentence.
    #[must_use]
    pub fn tell(&self) -> String {
        let PushTally { feeds, held, open, refused, messages, repeats, missed } = self;
        let feeds = count(*feeds);
        format!(
            "hubs: {feeds} feeds ({held} confirmed, {open} not, {refused} refused), {} messages \
             ({repeats} twice), {missed} items left out",
            count(*messages)
        )
    }
}

/// The subscriptions of the collection at `root`, at a time in milliseconds since 1970; none where there are none.
///
/// # Errors
/// When they cannot be read.
pub fn tally(root: &Path, now: i64) -> Result<Option<PushTally>, StoreError> {
    let mut tally = PushTally::default();
    PushFolder::of(root).all()?.iter().for_each(|(_, of)| tally.add(of, now));
    Ok((tally.feeds > 0).then_some(tally))
}

/// What a hub tells of one feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PushLife {
    pub hub: String,
    /// "confirmed", "asked", "over" or "refused".
    pub state: &'static str,
    /// Why it refused.
    pub why: String,
    /// Until when it tells.
    pub until: Option<i64>,
    pub messages: u64,
    pub repeats: u64,
    pub missed: u64,
    pub last: Option<i64>,
}

/// What a hub tells of a feed, at a time.
///
/// # Errors
/// When it cannot be read.
pub fn life(root: &Path, feed: UrlId, now: i64) -> Result<Option<PushLife>, StoreError> {
    let Some(of) = PushFolder::of(root).subscription(feed)? else { return Ok(None) };
    let (state, why) = match &of.state {
        _ if of.holds(now) => ("confirmed", String::new()),
        SubscriptionState::Held => ("over", String::new()),
        SubscriptionState::Asked => ("asked", String::new()),
        SubscriptionState::Refused(why) => ("refused", why.clone()),
    };
    Ok(Some(PushLife {
        state,
        why,
        until: of.holds(now).then_some(of.until),
        messages: of.messages,
        repeats: of.repeats,
        missed: of.missed,
        last: of.last,
        hub: of.hub,
    }))
}

impl PushLife {
    /// In words.
    #[must_use]
    pub fn tell(&self) -> String {
        let PushLife { hub, why, messages, repeats, missed, .. } = self;
        let state = match (self.state, self.until) {
            ("refused", _) => format!("{hub} refused: {why}"),
            ("asked", _) => format!("{hub} was asked and has not confirmed"),
            (_, Some(until)) => format!("{hub} tells of it until {}", moment(until)),
            _ => format!("{hub} told of it, and its lease is over"),
        };
        let last = self.last.map_or(String::new(), |last| format!(", the last {}", moment(last)));
        format!("{state}; {messages} messages ({repeats} twice){last}; {missed} items left out")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    #[test]
    fn subscriptions_are_told_without_their_secrets() {
        let root = tempfile::tempdir().expect("a folder");
        assert_eq!(tally(root.path(), 0).expect("a folder"), None);
        let held = |state, until| Subscription {
            feed: "http://a.test/feed".to_owned(),
            topic: "http://a.test/feed".to_owned(),
            hub: "http://hub.test/".to_owned(),
            token: "guess".to_owned(),
            secret: "hush".to_owned(),
            state,
            asked: 1,
            until,
            messages: 3,
            repeats: 1,
            last: None,
            missed: 2,
            prints: VecDeque::new(),
        };
        let folder = PushFolder::of(root.path());
        let refused = SubscriptionState::Refused("no room".to_owned());
        let rows = [
            (
                held(SubscriptionState::Held, 9_000),
                "confirmed",
                "tells of it until 1970-01-01 00:00:09 UTC",
            ),
            (held(SubscriptionState::Held, 10), "over", "its lease is over"),
            (held(SubscriptionState::Asked, 0), "asked", "has not confirmed"),
            (held(refused, 0), "refused", "refused: no room"),
        ];
        for (id, (row, state, words)) in (1..).zip(rows) {
            folder.keep(UrlId(id), &row).expect("a row");
            let life = life(root.path(), UrlId(id), 100).expect("a row").expect("a subscription");
            assert_eq!(life.state, state);
            assert!(life.tell().contains(words), "{}", life.tell());
            let shown = format!("{life:?} {}", serde_json::to_string(&life).expect("JSON"));
            assert!(!shown.contains("hush") && !shown.contains("guess"), "{shown}");
        }
        let tally = tally(root.path(), 100).expect("rows").expect("subscriptions");
        assert_eq!(
            tally.tell(),
            "hubs: 4 feeds (1 confirmed, 2 not, 1 refused), 12 messages (4 twice), 8 items left out"
        );
    }
}
