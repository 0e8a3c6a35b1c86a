//! From an answer to what it holds: parsed, and packed as it will stand in the captures. Nothing of the
//! crawl is looked at, so an answer can be read while the next one is on its way.

use super::again::is_same_payload;
use super::fetches::{Errand, Fetched, SITEMAP_BYTES};
use super::node::CrawlNode;
use crate::control::lock;
use crate::fetch::{Captured, Outcome};
use crate::forms::FormOptions;
use crate::glance::{Glance, Interest, form_page, glance};
use crate::options::{CrawlOptions, FeedChoice};
use crate::verdict::AnswerContent;
use fyke_derive::{ReadLimits, read_noted};
use fyke_formats::may_take_long;
use fyke_store::{Packed, Packer, ReadingPlace, RowKind, Underway};
use fyke_web::{Capture, feed, sitemap};
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex};

/// URLs one sitemap may give; the standard's own limit.
const SITEMAP_URLS: usize = 50_000;
/// Bytes by which a sitemap is known.
const SITEMAP_HEAD: usize = 64 << 10;
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The end of a request, with what came.
pub(super) struct ReadAnswer {
    pub(super) fetched: Fetched,
    pub(super) content: AnswerContent,
    /// The answer as it will stand in the captures.
    pub(super) packed: Option<Packed>,
}

/// Reads answers.
#[derive(Clone)]
pub(super) struct AnswerReader {
    /// Where captures are kept.
    packer: Option<Arc<Mutex<Packer>>>,
    /// What is wanted of pages.
    interest: Interest,
    reads_feeds: bool,
    limits: ReadLimits,
    forms: Arc<FormOptions>,
    underway: Arc<Underway>,
    /// Of the page that the crawl's own thread reads.
    place: Arc<ReadingPlace>,
}

impl AnswerReader {
    pub(super) fn new<F>(node: &CrawlNode<'_, F>, underway: &Arc<Underway>) -> AnswerReader {
        let CrawlOptions { keeps, reading: limits, ref forms, .. } = *node.options;
        let packer = keeps.then(|| Arc::new(Mutex::new(Packer::new())));
        // Where captures are kept, texts are known again.
        let interest = match (&node.spider, keeps) {
            (Some(spider), _) => Interest::Subject(Arc::clone(spider)),
            (None, true) => Interest::Text,
            (None, false) => Interest::Links,
        };
        let reads_feeds = node.options.feeds != FeedChoice::Off;
        let (underway, place) = (Arc::clone(underway), Arc::new(underway.place()));
        let forms = Arc::new(forms.clone());
        AnswerReader { packer, interest, reads_feeds, limits, forms, underway, place }
    }

    pub(super) fn read(&self, fetched: Fetched) -> ReadAnswer {
        let (Outcome::Captured(Captured { capture: source, request, .. }), Errand::Row(wanted)) =
            (&fetched.outcome, &fetched.errand)
        else {
            return ReadAnswer { fetched, content: AnswerContent::Nothing, packed: None };
        };
        let rendered = fetched.rendered.as_ref().and_then(|rendered| rendered.copy.as_ref());
        let capture = rendered.unwrap_or(source);
        let is_same = rendered.is_none() && is_same_payload(wanted, capture);
        if is_same || wanted.is_again && capture.status == 304 {
            let content = match capture.has_content() {
                true => AnswerContent::Same,
                false => AnswerContent::Nothing,
            };
            return ReadAnswer { fetched, content, packed: None };
        }
        let content = match (capture.has_content(), wanted.row.kind) {
            (false, _) => AnswerContent::Nothing,
            (true, RowKind::Feed) => feed_of(capture),
            (true, RowKind::Sitemap | RowKind::Page)
                if self.reads_feeds && feed::is_feed(capture) =>
            {
                feed_of(capture)
            }
            (true, RowKind::Sitemap) => sitemap_of(capture),
            (true, RowKind::Missing) => AnswerContent::Nothing,
            // What was given as a seed, or is where one leads, may be a list of pages.
            (true, _) if wanted.row.depth == 0 && is_sitemap(capture) => sitemap_of(capture),
            (true, _) => AnswerContent::Page(Box::new(self.look(capture))),
        };
        let packed = self.packer.as_ref().map(|packer| match rendered {
            Some(rendered) => lock(packer).pack_rendered(request, source, rendered),
            None => lock(packer).pack(request, source),
        });
        ReadAnswer { fetched, content, packed }
    }

    /// Whether an answer is to be read apart from the crawl's own thread, which it could hold up.
    pub(super) fn is_read_apart(&self, outcome: &Outcome) -> bool {
        let Outcome::Captured(answer) = outcome else { return false };
        answer.capture.has_content() && self.is_slow(&answer.capture)
    }

    /// Whether a page may take long, or did so before.
    fn is_slow(&self, capture: &Capture) -> bool {
        may_take_long(capture) || self.underway.is_doubtful(capture.url.id())
    }

    fn look(&self, capture: &Capture) -> Glance {
        let interest = self.interest.clone();
        let reads_forms = self.forms.are_for(&capture.url);
        let read = move |capture: &Capture| {
            let forms = reads_forms.then(|| form_page(capture));
            Glance { forms, ..glance(capture, &interest) }
        };
        let page = match self.is_slow(capture) {
            // Several such pages are read at once.
            true => read_noted(&self.underway.place(), capture, &self.limits, read),
            false => read_noted(&self.place, capture, &self.limits, read),
        };
        page.unwrap_or_else(Glance::unread)
    }
}

fn feed_of(capture: &Capture) -> AnswerContent {
    // As with sitemaps.
    let read = catch_unwind(|| feed::of_capture(capture)).ok().flatten();
    read.map_or(AnswerContent::Nothing, |feed| AnswerContent::Feed(Box::new(feed)))
}

fn is_sitemap(capture: &Capture) -> bool {
    sitemap::is_sitemap(&capture.body(SITEMAP_HEAD).0)
}

fn sitemap_of(capture: &Capture) -> AnswerContent {
    // A gzip file is unpacked as it is read; other encodings are taken off before.
    let parse = || match capture.payload.starts_with(GZIP) {
        true => sitemap::parse(&capture.payload, &capture.url, SITEMAP_URLS),
        false => sitemap::parse(&capture.body(SITEMAP_BYTES).0, &capture.url, SITEMAP_URLS),
    };
    // As with pages: should the parser break, one sitemap is lost and not its host.
    catch_unwind(parse).map_or(AnswerContent::Nothing, AnswerContent::Sitemap)
}

/// Whether an answer says, before it is read, that its host is well: then the host may be asked again
/// meanwhile. Anything else may ask for a pause.
pub(super) fn shows_health(errand: &Errand, outcome: &Outcome) -> bool {
    let (Errand::Row(_), Outcome::Captured(answer)) = (errand, outcome) else { return false };
    answer.capture.has_content() && answer.capture.truncated.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::fetches::Wanted;
    use crate::crawl::robots::RobotsFor;
    use crate::fetch::Failed;
    use crate::frontier::Origin;
    use fyke_store::{Position, Reason, Row};
    use fyke_web::Url;
    use std::time::Duration;

    #[test]
    fn a_host_is_asked_again_before_its_answer_is_read_only_when_that_is_a_whole_page() {
        let url = Url::parse("http://a.test/").expect("a URL");
        let row = || {
            let row = Row::new(url.as_str(), Reason::Queued, 0);
            Errand::Row(Box::new(Wanted::new(url.id(), url.clone(), Position(0), row)))
        };
        let answer = |status, truncated: Option<&str>| {
            let (headers, payload) = (Vec::new(), Vec::new());
            let truncated = truncated.map(str::to_owned);
            let url = url.clone();
            let capture = Capture { url, time: 0, status, headers, payload, truncated };
            Outcome::Captured(Captured { capture, request: Vec::new(), elapsed: Duration::ZERO })
        };
        assert!(shows_health(&row(), &answer(200, None)));
        for status in [301, 404, 429, 500, 503] {
            assert!(!shows_health(&row(), &answer(status, None)), "{status}");
        }
        assert!(!shows_health(&row(), &answer(200, Some("length"))));
        assert!(!shows_health(&row(), &answer(200, Some("disconnect"))));
        let failed = Outcome::Failed(Failed::of_page(Reason::Timeout, "slow"));
        assert!(!shows_health(&row(), &failed));
        let asked = RobotsFor { of: Origin::of(&url), hops: 0 };
        let robots = Errand::Robots { asked, url: url.clone() };
        assert!(!shows_health(&robots, &answer(200, None)));
    }
}
