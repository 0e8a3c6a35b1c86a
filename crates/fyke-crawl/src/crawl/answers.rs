//! From an answer to its URL's row, and to what others have to do then. Only the ledger and the captures are
//! written here.

use super::cell::CrawlCell;
use super::discovery::Found;
use super::due::DueRows;
use super::feeds::FetchedFeed;
use super::fetches::Wanted;
use super::focus::judge_subject;
use super::letter::Hop;
use super::missing::ANSWERED;
use super::node::Counters;
use super::retries::RetriedUrl;
use super::sitemaps::USUAL_SITEMAP;
use crate::credentials::Credentials;
use crate::feed_visits::visits_of;
use crate::fetch::Outcome;
use crate::glance::Glance;
use crate::guide::{JudgedPage, Spider};
use crate::verdict::{AnswerContent, MOST_REDIRECTS, TRIES, UrlVerdict, Verdict, judge};
use fyke_store::{Packed, Position, Reason, Rendering, Row, RowKind, StoreError};
use fyke_web::sitemap::Sitemap;
use fyke_web::{Url, UrlId};

/// An answer, or what came instead, to a URL.
pub(super) struct UrlAnswer {
    pub(super) wanted: Wanted,
    pub(super) outcome: Outcome,
    pub(super) content: AnswerContent,
    /// As it will stand in the captures.
    pub(super) packed: Option<Packed>,
    /// It was granted the last bytes of the budget.
    pub(super) is_rest: bool,
    /// What came of its scripts, if they were to be run.
    pub(super) rendering: Option<Rendering>,
}

impl UrlAnswer {
    /// Whether there is a rendered copy of what was there before, and now there would be none.
    pub(super) fn lost_its_copy(&self) -> bool {
        let has_copy = |rendering: Option<Rendering>| rendering.is_some_and(|it| it.end.has_copy());
        self.rendering.is_some() && has_copy(self.wanted.row.rendering) && !has_copy(self.rendering)
    }
}

/// What others have to do when a row was written.
#[derive(Debug)]
pub(super) enum FollowUp {
    Nothing,
    /// The URL waits again: its priority, and where its record stands.
    Queue(u8, Position),
    /// It waits again after so many failures, for a time of its own.
    QueueLater(RetriedUrl),
    /// It redirects, and its target is to be taken in.
    DiscoverTarget(Box<RedirectedUrl>),
    /// The links of the page are to be taken in.
    DiscoverLinks(Box<LinkedPage>),
    /// The items of the feed are to be taken in.
    DiscoverFed(Box<FetchedFeed>),
    /// What the sitemap lists is to be taken in.
    DiscoverListed(UrlId, Sitemap),
}

/// A redirect that was written.
#[derive(Debug)]
pub(super) struct RedirectedUrl {
    pub(super) hop: Hop,
    pub(super) target: Url,
    pub(super) kind: RowKind,
    /// How its target was found.
    pub(super) found: Found,
    /// The words of the link to it.
    pub(super) words: Vec<u32>,
}

/// A page that was fetched, and its links.
#[derive(Debug)]
pub(super) struct LinkedPage {
    pub(super) id: UrlId,
    pub(super) url: Url,
    pub(super) page: Glance,
    /// What it is to the subject of a focused crawl.
    pub(super) judged: Option<JudgedPage>,
    /// Of its links.
    pub(super) depth: u16,
    /// It was not fetched before.
    pub(super) is_first: bool,
    /// It was found on a copy of another page.
    pub(super) on_copy: bool,
    pub(super) kind: RowKind,
}

/// Whether a URL may be that of a sitemap, by its path: hosts without one may redirect to their home page.
fn is_like_sitemap(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let ends = [".xml", ".gz", ".txt", ".rss", ".atom"];
    path.contains("sitemap") || ends.iter().any(|end| path.ends_with(end))
}

/// Whether a page came of which a guide learns more.
fn is_page(reason: Reason) -> bool {
    matches!(reason, Reason::Kept | Reason::Offtopic | Reason::Noindex)
}

/// Whether a server sends the URL to itself and a cookie with it: it gives the page to whoever brings that back.
fn wants_cookie(wanted: &Wanted, outcome: &Outcome, verdict: &UrlVerdict) -> bool {
    let (Outcome::Captured(answer), UrlVerdict::Redirect(target)) = (outcome, verdict) else {
        return false;
    };
    *target == wanted.url
        && (wanted.is_again || wanted.row.tries < TRIES)
        && answer.capture.header("set-cookie").is_some()
}

/// Writes answers.
#[derive(Clone, Copy)]
pub(super) struct Answers<'a> {
    pub(super) cell: &'a CrawlCell<'a>,
    pub(super) counters: &'a Counters,
    pub(super) spider: Option<&'a Spider>,
    pub(super) due: &'a DueRows,
    pub(super) credentials: &'a Credentials,
}

impl Answers<'_> {
    /// What becomes of the URL and of its host. The try counts.
    pub(super) fn judge(self, answer: &mut UrlAnswer, now: u64) -> Result<Verdict, StoreError> {
        let UrlAnswer { wanted, outcome, content, is_rest, .. } = answer;
        wanted.row.tries = wanted.row.tries.saturating_add(1);
        wanted.row.fetched = Some(i64::try_from(now).unwrap_or(i64::MAX));
        let Verdict { mut url, host } = judge(outcome, content, wanted.row.tries, now);
        if let (RowKind::Missing, UrlVerdict::Final(reason @ Reason::Type, detail)) =
            (wanted.row.kind, &mut url)
        {
            (*reason, *detail) = (Reason::Soft404, ANSWERED.to_owned());
        }
        if let (RowKind::Feed, AnswerContent::Nothing, UrlVerdict::Final(Reason::Type, detail)) =
            (wanted.row.kind, &*content, &mut url)
        {
            *detail = "a page names it as a feed, and it is none".to_owned();
        }
        if let (RowKind::Query, AnswerContent::Page(_), UrlVerdict::Final(reason, detail)) =
            (wanted.row.kind, &*content, &mut url)
        {
            (*reason, *detail) = (Reason::FormTried, String::new());
        }
        if let UrlVerdict::Final(Reason::Http4xx, detail) = &mut url
            && self.credentials.are_for(&wanted.url)
        {
            detail.push_str(", with the credentials of its host");
        }
        let is_final = matches!(url, UrlVerdict::Final(..));
        // The budget cut it short, now used up: nothing can be said of the page.
        let is_unfinished = *is_rest && outcome.is_cut() && !outcome.is_unread() && is_final;
        if matches!(content, AnswerContent::Sitemap(_)) {
            // A seed may have been none when it was asked for.
            wanted.row.kind = RowKind::Sitemap;
        }
        if let (AnswerContent::Feed(feed), Outcome::Captured(answer)) = (&*content, &*outcome) {
            let now = wanted.row.fetched.unwrap_or_default();
            if wanted.row.kind == RowKind::Page {
                // It came as a link: feeds that lead to feeds end at the limit of links.
                wanted.row.depth = wanted.row.depth.saturating_add(1);
            }
            wanted.row.kind = RowKind::Feed;
            wanted.row.feed = Some(visits_of(feed, &answer.capture, now));
        }
        // A sitemap that is longer than most is asked for once more, whole.
        let is_sitemap = wanted.row.kind == RowKind::Sitemap;
        let is_longer = is_sitemap && wanted.row.tries == 1 && outcome.is_cut();
        let is_misread = self.became_sitemap(wanted)? && matches!(content, AnswerContent::Page(_));
        let is_again =
            is_unfinished || is_longer || is_misread || wants_cookie(wanted, outcome, &url);
        Ok(Verdict { url: if is_again { UrlVerdict::Again } else { url }, host })
    }

    /// Whether the URL turned out to be a sitemap while it was fetched as a page: then its row was
    /// written meanwhile.
    fn became_sitemap(self, wanted: &mut Wanted) -> Result<bool, StoreError> {
        let ledger = self.cell.ledger_of(wanted.id);
        let Some(latest) = ledger.position(wanted.id)?.filter(|p| *p != wanted.position) else {
            return Ok(false);
        };
        wanted.position = latest;
        if let Some((_, row)) = ledger.at(latest)? {
            (wanted.row.kind, wanted.row.detail) = (row.kind, row.detail);
            (wanted.row.listed, wanted.row.fed) = (row.listed, row.fed);
        }
        Ok(wanted.row.kind == RowKind::Sitemap)
    }

    /// Writes an answer as the verdict has it. It is stored unless its URL goes back to the queue.
    pub(super) fn write(
        self,
        answer: UrlAnswer,
        verdict: UrlVerdict,
        now: u64,
    ) -> Result<FollowUp, StoreError> {
        let UrlAnswer { mut wanted, outcome, content, packed, rendering, .. } = answer;
        match outcome {
            Outcome::Failed(failed) => {
                wanted.row.status = failed.status;
                self.counters.count_error();
                self.settle(wanted, verdict, now)
            }
            Outcome::Captured(captured)
                if matches!(verdict, UrlVerdict::Again | UrlVerdict::Later) =>
            {
                wanted.row.status = captured.capture.status;
                self.counters.count_error();
                self.settle(wanted, verdict, now)
            }
            outcome @ Outcome::Captured(_) => {
                self.store(&mut wanted, &outcome, packed, &verdict)?;
                wanted.row.take_rendering(rendering);
                self.write_content(wanted, content, verdict, now)
            }
        }
    }

    /// Stores the capture.
    fn store(
        self,
        wanted: &mut Wanted,
        outcome: &Outcome,
        packed: Option<Packed>,
        verdict: &UrlVerdict,
    ) -> Result<(), StoreError> {
        let Outcome::Captured(answer) = outcome else { return Ok(()) };
        wanted.row.status = answer.capture.status;
        let is_page = wanted.row.kind == RowKind::Page
            && !wanted.is_again
            && !matches!(verdict, UrlVerdict::Redirect(_))
            && !outcome.is_unread();
        let size = packed.as_ref().map_or(0, Packed::size);
        wanted.row.private = self.credentials.are_for(&wanted.url) || self.is_led(wanted)?;
        if let Some(packed) = packed {
            wanted.row.take_answer(&answer.capture, packed.digest);
            if wanted.is_same_text {
                wanted.row.recount_as_same();
            }
            wanted.row.capture = Some(self.cell.collection.captures.append(&packed)?);
        }
        self.cell.count_capture(size, is_page);
        Ok(())
    }

    /// Whether a private page redirected to it: others would not have found it.
    fn is_led(self, wanted: &Wanted) -> Result<bool, StoreError> {
        let is_redirected = wanted.row.redirects > 0 && !self.credentials.is_empty();
        let from = wanted.row.parent.filter(|_| is_redirected);
        let row = from.map_or(Ok(None), |id| self.cell.ledger_of(id).get(id))?;
        Ok(row.is_some_and(|row| row.private))
    }

    /// Writes the row; what the content leads to comes after it.
    fn write_content(
        self,
        wanted: Wanted,
        content: AnswerContent,
        mut verdict: UrlVerdict,
        now: u64,
    ) -> Result<FollowUp, StoreError> {
        let judged = self.spider.and_then(|spider| {
            let AnswerContent::Page(page) = &content else { return None };
            judge_subject(spider, &wanted, page, &mut verdict)
        });
        let id = wanted.id;
        match content {
            AnswerContent::Nothing | AnswerContent::Same => self.settle(wanted, verdict, now),
            AnswerContent::Page(page) => {
                let (url, depth) = (wanted.url.clone(), wanted.row.depth.saturating_add(1));
                let (is_first, on_copy) = (wanted.row.visited <= 1, wanted.row.on_copy);
                let kind = wanted.row.kind;
                self.settle(wanted, verdict, now)?;
                let page = *page;
                let linked = LinkedPage { id, url, page, judged, depth, is_first, on_copy, kind };
                Ok(FollowUp::DiscoverLinks(Box::new(linked)))
            }
            AnswerContent::Feed(feed) => {
                // Texts of a private feed would be documents for everybody: only its links are taken.
                let place = wanted.row.capture.filter(|_| !wanted.row.private);
                let depth = wanted.row.depth;
                self.settle(wanted, verdict, now)?;
                let fetched = FetchedFeed { id, place, depth, feed: *feed };
                Ok(FollowUp::DiscoverFed(Box::new(fetched)))
            }
            AnswerContent::Sitemap(sitemap) => {
                self.settle(wanted, verdict, now)?;
                Ok(FollowUp::DiscoverListed(id, sitemap))
            }
        }
    }

    /// Writes the row as it is now; returns where.
    pub(super) fn put(self, wanted: &Wanted, now: u64) -> Result<Position, StoreError> {
        self.cell.touch(now);
        let before = Some((wanted.position, wanted.before));
        self.cell.ledger_of(wanted.id).put(wanted.id, before, &wanted.row)
    }

    /// Writes the row as the verdict has it.
    pub(super) fn settle(
        self,
        mut wanted: Wanted,
        verdict: UrlVerdict,
        now: u64,
    ) -> Result<FollowUp, StoreError> {
        match verdict {
            UrlVerdict::Final(reason, detail) => {
                (wanted.row.reason, wanted.row.detail) = (reason, detail);
                if let Some(spider) = self.spider.filter(|_| !is_page(reason)) {
                    spider.learn_nothing(wanted.id);
                }
                self.put(&wanted, now).map(|_| FollowUp::Nothing)
            }
            UrlVerdict::Again => {
                let position = self.put(&wanted, now)?;
                Ok(FollowUp::Queue(wanted.row.priority, position))
            }
            UrlVerdict::Later => {
                let position = self.put(&wanted, now)?;
                let (id, Row { priority, tries, .. }) = (wanted.id, wanted.row);
                Ok(FollowUp::QueueLater(RetriedUrl { id, position, priority, tries }))
            }
            UrlVerdict::Redirect(target) => self.redirect(wanted, target, now),
        }
    }

    /// Records the redirect; its target comes next, at the same depth.
    fn redirect(self, mut wanted: Wanted, target: Url, now: u64) -> Result<FollowUp, StoreError> {
        let row = &mut wanted.row;
        row.redirect = Some(target.as_str().to_owned());
        let is_same_key = target.id() == wanted.id;
        if is_same_key && target != wanted.url && usize::from(row.tries) <= MOST_REDIRECTS {
            // The server wants another spelling of the same key: ask once more, its way.
            row.url = target.as_str().to_owned();
            let position = self.cell.ledger_of(wanted.id).put(wanted.id, None, row)?;
            return Ok(FollowUp::Queue(row.priority, position));
        }
        row.reason = Reason::Redirect;
        row.detail.clear();
        self.put(&wanted, now)?;
        let Row { kind, depth, redirects, .. } = wanted.row;
        let is_usual = kind == RowKind::Sitemap && wanted.url.path() == USUAL_SITEMAP;
        // Where a made-up path leads says nothing of the pages there are.
        if kind == RowKind::Missing || is_usual && !is_like_sitemap(&target) {
            return Ok(FollowUp::Nothing);
        }
        let hop = Hop { id: wanted.id, domain: wanted.url.domain_hash() };
        let lead = self.spider.and_then(|spider| spider.take_lead(wanted.id));
        let found = Found {
            parent: Some(wanted.id),
            from: Some(hop.domain),
            depth,
            redirects: redirects.saturating_add(1),
            weighed: lead.as_ref().map(|lead| lead.weighed),
            ..Found::SEED
        };
        let words = lead.map(|lead| lead.words).unwrap_or_default();
        let redirected = RedirectedUrl { hop, target, kind, found, words };
        Ok(FollowUp::DiscoverTarget(Box::new(redirected)))
    }
}
