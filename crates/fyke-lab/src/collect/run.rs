//! The loop: the machine of `fyke_learn::terms` says what it wants, the engine and the crawl give it, and every
//! step is written down.

mod crawled;

use super::before::DoneBefore;
use super::end::{CollectEnd, CollectLimits, YIELD};
use super::filter::{FilterVerdict, LanguageFilter};
use super::hits::{HitPage, HitPages};
use super::log::{CollectEvent, CollectLog, CollectStart, CollectVerdict, DocumentDone, QueryDone};
use super::made;
use super::numbers::{QuerySigns, TermNumbers};
use super::sample;
use super::shared::SharedHost;
use super::told::{self, CollectNow, NowTeller};
use crate::engine::{EngineManners, EngineTrouble, KnownEngine, ProbeWords};
use fyke_crawl::{Control, CrawlOptions, SeedFeed, crawl_web};
use fyke_learn::terms::builder::{BuilderStep, CorpusBuilder, HitsTaken};
use fyke_learn::terms::learners::{self, LEARNERS, Learner};
use fyke_learn::terms::{DocumentSide, TermCount, TermCounts, TermQuery};
use fyke_stages::show;
use fyke_store::Collection;
use fyke_web::Url;
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use xxhash_rust::xxh3::xxh3_64;

/// A document of fewer words says nothing of its language.
const FEWEST_WORDS: u32 = 10;
/// Fewer bytes of a language that is not shipped teach too little.
const FEW_BYTES: usize = 4_000;
/// Queries without any hit after which there is nothing to hope for.
const HOPELESS: u64 = 40;
/// Answers that cannot be read before the engine is given up.
const MOST_UNREADABLE: u32 = 3;
/// What the learner believes is written down after so many queries.
const BELIEF: u64 = 10;
/// Known queries without anything new in a row: the machine goes round in circles.
const CIRCLES: u32 = 2_000;
/// Dead hits in a row that are told of.
const MANY_DEAD: u32 = 20;

/// What is to be done, and with what.
pub struct CollectJob<'a> {
    pub collection: &'a Collection,
    pub engine: KnownEngine,
    /// The host of the engine, if it is not on this machine: its own pages may be among the hits.
    pub engine_host: Option<String>,
    /// Of the crawl; its feed is set here.
    pub crawl: CrawlOptions,
    pub start: CollectStart,
    pub limits: CollectLimits,
    pub stop: Control,
}

impl std::fmt::Debug for CollectJob<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CollectJob").field("start", &self.start).finish_non_exhaustive()
    }
}

/// Is told of every step, and how it stands.
pub type StepObserver<'o> = dyn FnMut(&CollectEvent, &CollectNow) + 'o;

/// Collects until an end is reached. Blocks; the crawl runs in a thread of its own meanwhile.
///
/// # Errors
/// Trouble with the disk.
pub fn collect(
    job: CollectJob<'_>,
    log: &mut CollectLog,
    observe: &mut StepObserver<'_>,
) -> anyhow::Result<(CollectEnd, CollectNow)> {
    let feed = SeedFeed::default();
    let options = CrawlOptions { feed: Some(feed.clone()), threads: 1, ..job.crawl.clone() };
    let (collection, stop) = (job.collection, job.stop.clone());
    std::thread::scope(|scope| {
        let over = feed.clone();
        let crawl = scope.spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let done = match runtime {
                Ok(runtime) => runtime
                    .block_on(crawl_web(collection, &options, &mut |_| (), stop))
                    .map_err(anyhow::Error::from),
                Err(error) => Err(error.into()),
            };
            over.end();
            done
        });
        let done = Collector::begin(job, log, &feed, observe).and_then(Collector::run);
        feed.close();
        let crawled = crawl.join().unwrap_or_else(|_| anyhow::bail!("the crawl broke"));
        let done = done?;
        crawled?;
        collection.sync()?;
        Ok(done)
    })
}

/// A learner by its name or a fixed way, and how many hits of a query it takes.
fn learner(start: &CollectStart) -> anyhow::Result<(Box<dyn Learner>, HitsTaken)> {
    let name = start.learner.as_str();
    let learner = learners::learner(name);
    let taken = match start.batch {
        None if name == "bandit" => HitsTaken::WhileGood(1),
        None | Some(0) => HitsTaken::One,
        Some(wrong) => HitsTaken::WhileGood(wrong),
    };
    let names: Vec<&str> = LEARNERS.iter().map(|row| row.name).collect();
    let known =
        || format!("no learner {name:?}; there are {}, and OR-3 and its like", names.join(", "));
    Ok((learner.ok_or_else(|| anyhow::anyhow!(known()))?, taken))
}

/// A run under way.
struct Collector<'a, 'o> {
    engine: KnownEngine,
    start: CollectStart,
    limits: CollectLimits,
    stop: Control,
    log: &'a mut CollectLog,
    pages: HitPages<'a>,
    /// Engine and crawl ask by themselves, so where they ask one host the loop keeps the gap.
    shared: SharedHost,
    runtime: Runtime,
    builder: CorpusBuilder,
    numbers: TermNumbers,
    filter: LanguageFilter,
    before: DoneBefore,
    manners: EngineManners,
    urls: HashMap<u64, Url>,
    /// Hits of the current query that were not looked at yet.
    coming: VecDeque<u64>,
    /// Texts that were seen.
    texts: HashSet<u64>,
    /// New documents of the last queries that were sent.
    yields: VecDeque<u32>,
    sent: u64,
    hits: u64,
    unreadable: u32,
    circles: u32,
    dead_in_row: u32,
    teller: NowTeller,
    observe: &'a mut StepObserver<'o>,
}

impl<'a, 'o> Collector<'a, 'o> {
    fn begin(
        job: CollectJob<'a>,
        log: &'a mut CollectLog,
        feed: &'a SeedFeed,
        observe: &'a mut StepObserver<'o>,
    ) -> anyhow::Result<Collector<'a, 'o>> {
        let CollectJob { collection, engine, engine_host, crawl, start, limits, stop } = job;
        let (floor, factor) = (crawl.floor, crawl.factor);
        let before = DoneBefore::of(&log.events, start.run);
        let (learner, taken) = learner(&start)?;
        let (mut counts, mut numbers) = (TermCounts::default(), TermNumbers::default());
        for (side, texts) in
            [(DocumentSide::Relevant, &start.texts), (DocumentSide::Other, &start.others)]
        {
            texts.iter().for_each(|text| counts.add(side, &numbers.count(text)));
        }
        let patience = limits.patience;
        let given = HashMap::new();
        let mut collector = Collector {
            shared: SharedHost { authority: engine_host, floor, factor },
            filter: LanguageFilter::new(&start.lang, &start.texts)
                .taught(&sample::judged_texts(collection, &log.events)?),
            builder: CorpusBuilder::new(counts, learner, taken, start.seed),
            pages: HitPages { collection, feed, patience, turns: 0, given },
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build()?,
            teller: NowTeller::new(collection.root(), &start, &log.events),
            manners: before.manners.unwrap_or(EngineManners::OWN),
            urls: HashMap::new(),
            coming: VecDeque::new(),
            texts: HashSet::new(),
            yields: VecDeque::new(),
            sent: 0,
            hits: 0,
            unreadable: 0,
            circles: 0,
            dead_in_row: 0,
            engine,
            start,
            limits,
            stop,
            log,
            numbers,
            before,
            observe,
        };
        if !collector.log.events.iter().any(
            |event| matches!(event, CollectEvent::Start(start) if start.run == collector.start.run),
        ) {
            collector.note(CollectEvent::Start(collector.start.clone()))?;
        }
        let bytes: usize = collector.start.texts.iter().map(String::len).sum();
        if collector.filter.is_learnt() && bytes < FEW_BYTES {
            let text = format!(
                "the language is not built in and is learnt from {bytes} bytes alone, by which few documents are \
                 known again; give a few pages of text with --documents"
            );
            collector.say(&text)?;
        }
        Ok(collector)
    }

    fn run(mut self) -> anyhow::Result<(CollectEnd, CollectNow)> {
        let end = match self.learn_manners()? {
            Some(end) => end,
            None => loop {
                if let Some(end) = self.step()? {
                    break end;
                }
            },
        };
        self.look_at_the_rest()?;
        let end = self.crawl_hosts(end)?;
        let CollectNow { host_pages, host_found, .. } = self.teller.now;
        if host_pages > 0 {
            let text = format!(
                "hosts with a high yield were crawled: {host_pages} pages, {host_found} more documents"
            );
            self.say(&text)?;
        }
        let now = self.teller.end(&self.builder, &self.numbers, &end.words())?;
        made::write(self.pages.collection.root(), &self.log.events, &now)?;
        Ok((end, now))
    }

    /// Writes a step down and tells of it.
    fn note(&mut self, event: CollectEvent) -> anyhow::Result<()> {
        self.teller.take(&event, &self.builder, &self.numbers)?;
        (self.observe)(&event, &self.teller.now);
        Ok(self.log.add(event)?)
    }

    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        let is_news = !self.log.events.iter().any(|event| {
            matches!(event, CollectEvent::Note { run, text: said } if *run == self.start.run && said == text)
        });
        match is_news {
            true => self.note(CollectEvent::Note { run: self.start.run, text: text.to_owned() }),
            false => Ok(()),
        }
    }

    /// Finds out what the engine does with queries, once.
    fn learn_manners(&mut self) -> anyhow::Result<Option<CollectEnd>> {
        if self.before.manners.is_some() {
            return Ok(None);
        }
        let words = told::common_words(self.builder.counts(), &self.numbers);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let probed = self.engine.probe(ProbeWords(&words), show::now());
        let manners = match self.runtime.block_on(probed) {
            Ok(manners) => manners,
            Err(error) => return engine_end(error).map(Some),
        };
        self.manners = manners;
        self.note(CollectEvent::Manners { run: self.start.run, manners })?;
        for complaint in manners.complaints() {
            self.say(complaint)?;
        }
        Ok((!manners.answers).then_some(CollectEnd::NoHits))
    }

    /// One step; gives the end, when it has come.
    fn step(&mut self) -> anyhow::Result<Option<CollectEnd>> {
        if let Some(end) = self.has_ended() {
            return Ok(Some(end));
        }
        let document = match self.builder.next_step() {
            BuilderStep::Stuck if self.hits == 0 => return Ok(Some(CollectEnd::NoHits)),
            BuilderStep::Stuck => return Ok(Some(CollectEnd::Stuck)),
            BuilderStep::Look(document) => Some(document),
            BuilderStep::Ask(query) => match self.ask(&query)? {
                Asked::Document(document) => document,
                Asked::End(end) => return Ok(Some(end)),
            },
        };
        document.map_or(Ok(None), |document| self.look(document))
    }

    fn has_ended(&self) -> Option<CollectEnd> {
        let found = self.builder.tally().relevant;
        let has_fallen = self.yields.len() >= YIELD.0 && self.yields.iter().sum::<u32>() < YIELD.1;
        match () {
            () if self.stop.is_stopped() => Some(CollectEnd::Stopped),
            () if self.limits.wanted.is_some_and(|wanted| found >= wanted) => {
                Some(CollectEnd::Wanted)
            }
            () if self.hits == 0 && self.sent >= HOPELESS => Some(CollectEnd::NoHits),
            () if has_fallen => Some(CollectEnd::Fallen),
            () if self.circles >= CIRCLES => Some(CollectEnd::Stuck),
            () => None,
        }
    }

    /// Sends a query, unless its answer is known.
    fn ask(&mut self, query: &TermQuery) -> anyhow::Result<Asked> {
        let query = match self.manners.all_words {
            true => query.clone(),
            // Any of the words will do for it, so one is sent at a time.
            false => {
                let first = query.include().iter().take(1).copied().collect();
                TermQuery::new(first, query.exclude().to_vec())
            }
        };
        let is_own = self.engine.engine.is_own();
        let EngineManners { plus, minus, .. } = self.manners;
        let signs = QuerySigns { is_plain: !plus, excludes: minus, is_quoted: is_own };
        let text = self.numbers.text(&query, signs);
        if self.limits.queries.is_some_and(|most| self.sent >= most) && !self.is_known(&text) {
            return Ok(Asked::End(CollectEnd::Queries));
        }
        let asked = self.engine.ask(&text, self.limits.depth, show::now());
        let (hits, was_known) = match self.runtime.block_on(asked) {
            Ok(answer) => answer,
            Err(error) => match EngineTrouble::of(&error) {
                Some(EngineTrouble::Unreadable(what)) if self.unreadable + 1 < MOST_UNREADABLE => {
                    self.unreadable += 1;
                    let said = format!("an answer of the engine could not be read: {what}");
                    self.say(&said)?;
                    (Vec::new(), false)
                }
                _ => return engine_end(error).map(Asked::End),
            },
        };
        self.unreadable = if hits.is_empty() { self.unreadable } else { 0 };
        self.hits += hits.len() as u64;
        self.count_query(was_known);
        let urls: Vec<Url> = hits.iter().filter_map(|hit| Url::parse(hit).ok()).collect();
        let ids: Vec<u64> = urls.iter().map(|url| url.id().0).collect();
        self.urls.extend(urls.into_iter().map(|url| (url.id().0, url)));
        self.coming = ids.iter().copied().collect();
        let way = told::way(self.builder.current().map(|current| current.0));
        let document = self.builder.answer(&ids);
        self.circles = if document.is_none() && was_known { self.circles + 1 } else { 0 };
        if self.before.queries.insert(text.clone()) {
            let (run, time, hits) = (self.start.run, show::now(), hits.len());
            self.note(CollectEvent::Query(QueryDone {
                run,
                query: text,
                way,
                hits,
                was_known,
                time,
            }))?;
            let queries = self.teller.now.queries;
            if queries.is_multiple_of(BELIEF) && !was_known {
                let shares = told::shares(&self.builder);
                self.note(CollectEvent::Belief { run, queries, shares })?;
            }
        }
        Ok(Asked::Document(document))
    }

    fn is_known(&self, text: &str) -> bool {
        self.before.queries.contains(text)
    }

    fn count_query(&mut self, was_known: bool) {
        self.sent += u64::from(!was_known);
        self.yields.push_back(0);
        if self.yields.len() > YIELD.0 {
            self.yields.pop_front();
        }
    }

    /// Has the next hits fetched, waits for the first and judges it.
    fn look(&mut self, document: u64) -> anyhow::Result<Option<CollectEnd>> {
        while self.coming.front().is_some_and(|next| *next != document) {
            self.coming.pop_front();
        }
        self.coming.pop_front();
        let Some(url) = self.urls.get(&document).cloned() else {
            self.builder.skip();
            return Ok(None);
        };
        let is_shared = self.shared.has(&url);
        if is_shared {
            self.shared.pause(Duration::ZERO);
        }
        let ahead = if is_shared { 0 } else { self.limits.ahead.saturating_sub(1) };
        let next = self.coming.iter().take(ahead).filter_map(|next| self.urls.get(next));
        let next = next.filter(|next| !self.shared.has(next));
        self.pages.give(std::iter::once(&url).chain(next));
        let begun = Instant::now();
        let page = self.pages.take(&url)?;
        if is_shared {
            self.shared.pause(begun.elapsed());
        }
        if matches!(page, HitPage::Over) {
            return Ok(Some(self.cut()));
        }
        self.take_page(&url, page, true)?;
        Ok(None)
    }

    /// The end that it is when the crawl is over before the run.
    fn cut(&self) -> CollectEnd {
        if self.stop.is_stopped() { CollectEnd::Stopped } else { CollectEnd::Budget }
    }

    /// Takes in what came of a hit; `is_asked`: the machine waits for its verdict.
    fn take_page(&mut self, url: &Url, page: HitPage, is_asked: bool) -> anyhow::Result<()> {
        let before = self.before.documents.get(url.as_str()).cloned();
        let Some(HitRead { done, terms }) = self.read_page(url, page, before.as_ref())? else {
            return Ok(());
        };
        if is_asked {
            match done.verdict {
                CollectVerdict::Found => {
                    let counts = self.builder.counts();
                    let is_known = |term| counts.uses(DocumentSide::Relevant, term).documents > 0;
                    self.teller.vocabulary.take(&terms, is_known);
                    self.builder.judge(true, &terms);
                }
                CollectVerdict::Wrong | CollectVerdict::Offtopic => {
                    self.builder.judge(false, &terms);
                }
                CollectVerdict::Copy | CollectVerdict::Empty | CollectVerdict::Dead => {
                    self.builder.skip();
                }
            }
            let found = u32::from(done.verdict == CollectVerdict::Found);
            if let Some(last) = self.yields.back_mut() {
                *last += found;
            }
        }
        self.mind_dead(&done)?;
        match before {
            Some(_) => Ok(()),
            None => self.note(CollectEvent::Document(done)),
        }
    }

    /// The same for a page of a host that is crawled, from which no query is learnt.
    fn take_host_page(&mut self, url: &Url, page: HitPage) -> anyhow::Result<CollectVerdict> {
        let before = self.before.host_pages.get(url.as_str()).cloned();
        // It may come yet: when the run is continued it is asked for again.
        let is_late = matches!(page, HitPage::Late);
        let Some(HitRead { done, .. }) = self.read_page(url, page, before.as_ref())? else {
            return Ok(CollectVerdict::Dead);
        };
        let verdict = done.verdict;
        if before.is_none() && !is_late {
            self.note(CollectEvent::HostPage(done))?;
        }
        Ok(verdict)
    }

    /// What a page is, noted in the ledger; nothing when the crawl is over.
    fn read_page(
        &mut self,
        url: &Url,
        page: HitPage,
        before: Option<&DocumentDone>,
    ) -> anyhow::Result<Option<HitRead>> {
        let mut done = DocumentDone {
            run: self.start.run,
            url: url.as_str().to_owned(),
            verdict: CollectVerdict::Dead,
            language: String::new(),
            confidence: 0.0,
            words: 0,
            reason: String::new(),
            time: show::now(),
        };
        let mut terms = Vec::new();
        match page {
            HitPage::Text { id, text, is_off } => {
                terms = self.numbers.count(&text);
                done.words = terms.iter().map(|term| term.count).sum();
                let told = self.judge((&text, is_off), &mut done, before);
                let is_wanted =
                    matches!(done.verdict, CollectVerdict::Found | CollectVerdict::Copy)
                        && !self.before.rejected.contains(&done.url);
                let why = format!("{} {:.2}", told.language, told.confidence);
                if !matches!(done.verdict, CollectVerdict::Empty | CollectVerdict::Offtopic) {
                    self.pages.settle(id, is_wanted, &why)?;
                }
                (done.language, done.confidence) = (told.language, told.confidence);
            }
            HitPage::Dead(reason) => reason.name().clone_into(&mut done.reason),
            HitPage::Late => "late".clone_into(&mut done.reason),
            HitPage::Over => return Ok(None),
        }
        Ok(Some(HitRead { done, terms }))
    }

    /// What a text is: as it was said before the run was cut, else as the filter says.
    fn judge(
        &mut self,
        (text, is_off): (&str, bool),
        done: &mut DocumentDone,
        before: Option<&DocumentDone>,
    ) -> FilterVerdict {
        let told = match before {
            Some(before) => FilterVerdict {
                is_wanted: before.verdict == CollectVerdict::Found,
                language: before.language.clone(),
                confidence: before.confidence,
            },
            None => self.filter.judge(text),
        };
        let is_new = self.texts.insert(xxh3_64(text.trim().as_bytes()));
        done.verdict =
            before.map(|before| before.verdict).unwrap_or(match (told.is_wanted, is_new) {
                _ if done.words < FEWEST_WORDS => CollectVerdict::Empty,
                (true, _) if is_off => CollectVerdict::Offtopic,
                (true, true) => CollectVerdict::Found,
                (true, false) => CollectVerdict::Copy,
                (false, _) => CollectVerdict::Wrong,
            });
        if done.verdict == CollectVerdict::Found {
            self.filter.learn(text, &told);
        }
        told
    }

    fn mind_dead(&mut self, done: &DocumentDone) -> anyhow::Result<()> {
        self.dead_in_row = match done.verdict {
            CollectVerdict::Dead => self.dead_in_row + 1,
            _ => 0,
        };
        if self.dead_in_row == MANY_DEAD {
            let text = format!(
                "{MANY_DEAD} hits in a row could not be fetched, the last because of {}",
                done.reason
            );
            self.say(&text)?;
        }
        Ok(())
    }

    /// Pages that were fetched ahead and never looked at: they are part of the collection, so it is said what
    /// they are.
    fn look_at_the_rest(&mut self) -> anyhow::Result<()> {
        let given: Vec<Url> =
            self.pages.given.keys().filter_map(|id| self.urls.get(&id.0)).cloned().collect();
        let patience = std::mem::replace(&mut self.pages.patience, Duration::ZERO);
        let done: HashSet<&str> = self
            .log
            .events
            .iter()
            .filter_map(|event| match event {
                CollectEvent::Document(done) => Some(done.url.as_str()),
                _ => None,
            })
            .collect();
        let is_new = |url: &Url| !done.contains(url.as_str());
        let mut rest: Vec<Url> = given.into_iter().filter(is_new).collect();
        rest.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        for url in rest {
            match self.pages.take(&url)? {
                page @ HitPage::Text { .. } => self.take_page(&url, page, false)?,
                HitPage::Dead(_) | HitPage::Late | HitPage::Over => {}
            }
        }
        self.pages.patience = patience;
        Ok(())
    }
}

/// A page that was read: what is said of it, and its terms.
struct HitRead {
    done: DocumentDone,
    terms: Vec<TermCount>,
}

/// What came of a query.
enum Asked {
    /// Its first hit that was not seen, if there is one.
    Document(Option<u64>),
    End(CollectEnd),
}

/// The end that trouble with the engine is; other trouble is an error.
fn engine_end(error: anyhow::Error) -> anyhow::Result<CollectEnd> {
    match EngineTrouble::of(&error) {
        Some(trouble) => Ok(CollectEnd::Engine(trouble.clone())),
        None => Err(error),
    }
}
