//! Feeds that hubs tell of (W3C WebSub): `push/feeds/` has a row for each, a file named by the id of the feed's URL, and
//! `push/inbox/` the messages that came and are not taken in yet. Rows are written by the collection's one writer alone.
//! Messages are put there by whoever serves the callbacks, in this process or another, each on disk before the hub is
//! told so; the writer takes them out once what they brought is safe. Secrets stand in the rows: the folder is for its
//! owner alone.

use crate::StoreError;
use crate::disk;
use crate::tail::locked;
use fyke_web::UrlId;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use xxhash_rust::xxh3::xxh3_64;

/// Feeds that are subscribed to.
pub const MOST_SUBSCRIPTIONS: usize = 4_096;
/// Messages that wait, in all and of one feed, and their bytes.
const MOST_WAITING: usize = 512;
const MOST_OF_FEED: usize = 16;
const MOST_BYTES: u64 = 256 << 20;
/// Prints of messages by which one that comes twice is known.
const MOST_PRINTS: usize = 64;

/// How a subscription stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SubscriptionState {
    /// The hub was asked, or is about to be, and has not confirmed.
    Asked,
    /// The hub has confirmed: it tells until `until`.
    Held,
    /// The hub refused, in these words.
    Refused(String),
}

/// A feed that a hub is to tell of.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    /// The feed's URL.
    pub feed: String,
    /// What the hub calls it.
    pub topic: String,
    pub hub: String,
    /// The last part of the callback's path, which nobody can guess.
    pub token: String,
    /// By which the hub signs.
    pub secret: String,
    pub state: SubscriptionState,
    /// When the hub was asked last, in milliseconds since 1970.
    pub asked: i64,
    /// Until when it tells, where it has confirmed.
    pub until: i64,
    /// Messages taken in, those among them that had come before, and when the last one came.
    pub messages: u64,
    pub repeats: u64,
    pub last: Option<i64>,
    /// Items that a visit found and no message had brought.
    pub missed: u64,
    /// Hashes of the last messages, the newest last.
    pub prints: VecDeque<u64>,
}

impl fmt::Debug for Subscription {
    /// Without what must stay secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subscription({} by {}, {:?})", self.feed, self.hub, self.state)
    }
}

impl Subscription {
    /// Whether the hub tells of news at a time.
    #[must_use]
    pub fn holds(&self, now: i64) -> bool {
        self.state == SubscriptionState::Held && now < self.until
    }

    /// Notes a message that was taken in.
    pub fn take(&mut self, message: &PushMessage) {
        match &message.news {
            PushNews::Confirmed(lease) => {
                self.state = SubscriptionState::Held;
                self.until = message.end_of_lease(*lease);
            }
            PushNews::Denied(why) => {
                (self.state, self.until) = (SubscriptionState::Refused(why.clone()), 0);
            }
            PushNews::Content { print, .. } => self.note(*print, message.time),
        }
    }

    /// Notes a message by its hash.
    fn note(&mut self, print: u64, time: i64) {
        self.messages += 1;
        self.last = Some(time);
        if self.prints.contains(&print) {
            self.repeats += 1;
            return;
        }
        self.prints.push_back(print);
        if self.prints.len() > MOST_PRINTS {
            self.prints.pop_front();
        }
    }
}

/// What a hub said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PushNews {
    /// It tells from now on, for so many seconds.
    Confirmed(u64),
    Denied(String),
    /// The content of a feed, with its media type and hash; it stands behind the head.
    Content {
        media: String,
        print: u64,
    },
}

impl PushNews {
    /// The content of a feed.
    #[must_use]
    pub fn content(media: &str, body: &[u8]) -> PushNews {
        PushNews::Content { media: media.to_owned(), print: xxh3_64(body) }
    }
}

/// A message of a hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushMessage {
    /// The feed's id, and its domain by hash.
    pub feed: u64,
    pub domain: u64,
    /// Of the subscription by which it came.
    pub token: String,
    /// When it came, in milliseconds since 1970.
    pub time: i64,
    pub news: PushNews,
    #[serde(skip)]
    pub body: Vec<u8>,
}

impl PushMessage {
    /// When a lease of so many seconds ends that it confirms, in milliseconds since 1970.
    #[must_use]
    pub fn end_of_lease(&self, seconds: u64) -> i64 {
        let millis = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1_000);
        self.time.saturating_add(millis)
    }
}

/// A message that waits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WaitingMessage {
    name: String,
    /// The domain of its feed, by hash.
    pub domain: u64,
}

/// The folder of a collection in which hubs are kept.
#[derive(Clone, Debug)]
pub struct PushFolder {
    dir: PathBuf,
}

impl PushFolder {
    /// That of the collection at `root`; it may not be there yet.
    #[must_use]
    pub fn of(root: &Path) -> PushFolder {
        PushFolder { dir: root.join("push") }
    }

    fn rows(&self) -> PathBuf {
        self.dir.join("feeds")
    }

    fn inbox(&self) -> PathBuf {
        self.dir.join("inbox")
    }

    fn row(&self, id: UrlId) -> PathBuf {
        self.rows().join(format!("{:016x}.json", id.0))
    }

    /// The subscription to a feed. One that is damaged is none: it will be made anew.
    ///
    /// # Errors
    /// When the disk refuses (so all of these).
    pub fn subscription(&self, id: UrlId) -> Result<Option<Subscription>, StoreError> {
        let path = self.row(id);
        let bytes = read(&path).map_err(|error| StoreError::io(&path, error))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Keeps a subscription, durably.
    ///
    /// # Errors
    /// As [`PushFolder::subscription`].
    pub fn keep(&self, id: UrlId, subscription: &Subscription) -> Result<(), StoreError> {
        make(&self.dir, &self.rows())?;
        let path = self.row(id);
        let bytes = serde_json::to_vec(subscription).map_err(io::Error::from);
        bytes.and_then(|bytes| disk::replace(&path, &bytes)).map_err(|e| StoreError::io(&path, e))
    }

    /// Changes a subscription, if there is one; threads that change the same take turns.
    ///
    /// # Errors
    /// As [`PushFolder::subscription`].
    pub fn update(
        &self,
        id: UrlId,
        change: impl FnOnce(&mut Subscription),
    ) -> Result<Option<Subscription>, StoreError> {
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = locked(&TURN);
        let Some(mut subscription) = self.subscription(id)? else { return Ok(None) };
        change(&mut subscription);
        self.keep(id, &subscription)?;
        Ok(Some(subscription))
    }

    /// Every subscription, by the ids of the feeds.
    ///
    /// # Errors
    /// As [`PushFolder::subscription`].
    pub fn all(&self) -> Result<Vec<(UrlId, Subscription)>, StoreError> {
        let mut found = Vec::new();
        for name in names(&self.rows())? {
            let Some(id) = name.strip_suffix(".json").and_then(hex) else { continue };
            if let Some(subscription) = self.subscription(UrlId(id))? {
                found.push((UrlId(id), subscription));
            }
        }
        found.sort_by(|(_, a), (_, b)| a.feed.cmp(&b.feed));
        Ok(found)
    }

    /// Whether one more feed may be subscribed to.
    ///
    /// # Errors
    /// As [`PushFolder::subscription`].
    pub fn has_room(&self) -> Result<bool, StoreError> {
        Ok(names(&self.rows())?.len() < MOST_SUBSCRIPTIONS)
    }

    /// Puts a message where it waits to be taken in; false where too many wait. It is durable then.
    ///
    /// # Errors
    /// As [`PushFolder::subscription`].
    pub fn put(&self, message: &PushMessage) -> Result<bool, StoreError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let inbox = self.inbox();
        make(&self.dir, &inbox)?;
        let waiting = names(&inbox)?;
        let of_feed = format!("-{:016x}-", message.feed);
        let own = waiting.iter().filter(|name| name.contains(&of_feed)).count();
        let bytes: u64 = waiting
            .iter()
            .filter_map(|name| Some(fs::metadata(inbox.join(name)).ok()?.len()))
            .sum();
        if waiting.len() >= MOST_WAITING || own >= MOST_OF_FEED || bytes >= MOST_BYTES {
            return Ok(false);
        }
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Relaxed));
        let PushMessage { time, domain, .. } = *message;
        let name = format!("{time:016x}-{domain:016x}{of_feed}{process:x}-{count:x}.message");
        let path = inbox.join(name);
        let written = serde_json::to_vec(message).map_err(io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            bytes.extend_from_slice(&message.body);
            disk::replace(&path, &bytes)
        });
        written.map(|()| true).map_err(|error| StoreError::io(&path, error))
    }

    /// The messages that wait, the oldest first.
    ///
    /// # Errors
    /// As [`PushFolder::subscription`].
    pub fn waiting(&self) -> Result<Vec<WaitingMessage>, StoreError> {
        let mut found: Vec<WaitingMessage> = names(&self.inbox())?
            .into_iter()
            .filter_map(|name| {
                let whole = name.strip_suffix(".message")?;
                let domain = hex(whole.split('-').nth(1)?)?;
                Some(WaitingMessage { name, domain })
            })
            .collect();
        found.sort();
        Ok(found)
    }

    /// Reads a message; none where it is damaged or gone.
    ///
    /// # Errors
    /// As [`PushFolder::subscription`].
    pub fn read(&self, waiting: &WaitingMessage) -> Result<Option<PushMessage>, StoreError> {
        let path = self.inbox().join(&waiting.name);
        let bytes = read(&path).map_err(|error| StoreError::io(&path, error))?;
        Ok(bytes.and_then(|bytes| {
            let end = bytes.iter().position(|byte| *byte == b'\n')?;
            let message: PushMessage = serde_json::from_slice(&bytes[..end]).ok()?;
            Some(PushMessage { body: bytes[end + 1..].to_vec(), ..message })
        }))
    }

    /// Takes a message out, once what it brought is safe.
    ///
    /// # Errors
    /// As [`PushFolder::subscription`].
    pub fn remove(&self, waiting: &WaitingMessage) -> Result<(), StoreError> {
        let path = self.inbox().join(&waiting.name);
        match disk::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::io(&path, error))
            }
            _ => Ok(()),
        }
    }
}

/// Makes a folder inside the one for hubs, which nobody else may look into.
fn make(push: &Path, dir: &Path) -> Result<(), StoreError> {
    if dir.is_dir() {
        return Ok(());
    }
    let made = disk::create_dir(dir).and_then(|()| {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(push, fs::Permissions::from_mode(0o700))?;
        disk::sync_dir(push)?;
        disk::sync_dir(push.parent().unwrap_or(push))
    });
    made.map_err(|error| StoreError::io(dir, error))
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

/// The bytes of a file; none where there is no such file.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// The names of the files of a folder; none where there is no such folder.
fn names(dir: &Path) -> Result<Vec<String>, StoreError> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| StoreError::io(dir, error))?,
    };
    Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subscription() -> Subscription {
        Subscription {
            feed: "http://a.test/feed".to_owned(),
            topic: "http://a.test/feed".to_owned(),
            hub: "http://hub.test/".to_owned(),
            token: "abc".to_owned(),
            secret: "hush".to_owned(),
            state: SubscriptionState::Asked,
            asked: 0,
            until: 0,
            messages: 0,
            repeats: 0,
            last: None,
            missed: 0,
            prints: VecDeque::new(),
        }
    }

    fn message(feed: u64, time: i64) -> PushMessage {
        let (token, body) = ("abc".to_owned(), b"<rss>\n</rss>".to_vec());
        let news = PushNews::content("application/rss+xml", &body);
        PushMessage { feed, domain: 9, token, time, news, body }
    }

    #[test]
    fn rows_and_messages_come_back_as_they_were_put() {
        let dir = tempfile::tempdir().unwrap();
        let folder = PushFolder::of(dir.path());
        assert_eq!(folder.subscription(UrlId(7)).unwrap(), None);
        assert!(folder.all().unwrap().is_empty() && folder.waiting().unwrap().is_empty());
        folder.keep(UrlId(7), &subscription()).unwrap();
        assert_eq!(folder.all().unwrap(), [(UrlId(7), subscription())]);
        for time in [2, 1] {
            assert!(folder.put(&message(7, time)).unwrap());
        }
        let waiting = folder.waiting().unwrap();
        let read: Vec<_> = waiting.iter().map(|one| folder.read(one).unwrap()).collect();
        assert_eq!(read, [Some(message(7, 1)), Some(message(7, 2))]);
        assert!(waiting.iter().all(|one| one.domain == 9));
        waiting.iter().for_each(|one| folder.remove(one).unwrap());
        assert!(folder.waiting().unwrap().is_empty());
        assert_eq!(folder.read(&waiting[0]).unwrap(), None);
        folder.remove(&waiting[0]).unwrap();
    }

    #[test]
    fn secrets_are_neither_printed_nor_for_others() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        PushFolder::of(dir.path()).keep(UrlId(7), &subscription()).unwrap();
        let mode = fs::metadata(dir.path().join("push")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert!(!format!("{:?}", subscription()).contains("hush"));
    }

    #[test]
    fn a_flood_of_messages_is_bounded_by_feed() {
        let dir = tempfile::tempdir().unwrap();
        let folder = PushFolder::of(dir.path());
        let put = |feed| folder.put(&message(feed, 1)).unwrap();
        assert!((0..MOST_OF_FEED).all(|_| put(7)));
        assert!(!put(7), "one feed does not keep others out");
        assert!(put(8));
    }

    #[test]
    fn a_message_that_comes_twice_is_known() {
        let mut held = subscription();
        [(1, 10), (2, 20), (1, 30)].into_iter().for_each(|(print, time)| held.note(print, time));
        assert_eq!((held.messages, held.repeats, held.last), (3, 1, Some(30)));
        (3..90).for_each(|print| held.note(print, 40));
        assert_eq!((held.repeats, held.messages), (1, 90));
        assert_eq!(held.prints.len(), MOST_PRINTS);
    }

    #[test]
    fn a_row_says_what_its_hub_said_last() {
        let dir = tempfile::tempdir().unwrap();
        let folder = PushFolder::of(dir.path());
        let take = |news| {
            let said = PushMessage { news, ..message(7, 5_000) };
            folder.update(UrlId(7), |held| held.take(&said)).unwrap()
        };
        assert_eq!(take(PushNews::Confirmed(9)), None, "nothing is subscribed to");
        folder.keep(UrlId(7), &subscription()).unwrap();
        let held = take(PushNews::Confirmed(9)).unwrap();
        assert!(held.holds(13_999) && !held.holds(14_000));
        let refused = take(PushNews::Denied("no".to_owned())).unwrap();
        assert!(!refused.holds(5_000));
        assert_eq!(folder.subscription(UrlId(7)).unwrap(), Some(refused));
    }

    #[test]
    fn damage_is_no_trouble() {
        let dir = tempfile::tempdir().unwrap();
        let folder = PushFolder::of(dir.path());
        folder.keep(UrlId(7), &subscription()).unwrap();
        fs::write(folder.row(UrlId(7)), b"{").unwrap();
        assert!(folder.all().unwrap().is_empty());
        folder.put(&message(7, 1)).unwrap();
        let inbox = folder.inbox();
        for name in ["x", "1-2.message", "zz-zz-zz.message"] {
            fs::write(inbox.join(name), b"\xff{").unwrap();
        }
        let waiting = folder.waiting().unwrap();
        assert_eq!(waiting.len(), 2);
        let read = waiting.iter().filter_map(|one| folder.read(one).unwrap());
        assert_eq!(read.count(), 1);
    }
}
