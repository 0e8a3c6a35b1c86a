//! `fyke crawl`: fetches, then makes documents, columns and index of what came.

use super::cuts::{BudgetCut, RunLimits, cuts};
use super::dashboard::Dashboard;
use super::progress::Progress;
use super::watch::watch;
use super::{Exit, Failure, Global, opened, output, stop, summary};
use crate::cpu::Stages;
use fyke_crawl::{
    Control, CrawlOptions, SeedRedirect, Stopped, Summary, UnmatchedPattern, crawl_web,
};
use fyke_derive::DeriveError;
use fyke_site::{Announced, Live};
use fyke_stages::config::{Config, parse_address, parse_duration};
use fyke_stages::memory::peak_rss;
use fyke_stages::show;
use fyke_stages::{Eagerness, Made, Step, reasons};
use fyke_store::{Collection, Reason, Row, StoreError};
use fyke_web::Url;
use serde_json::json;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::runtime::Runtime;

/// Seeds and hosts named when nothing could be fetched.
const TROUBLES: usize = 5;
/// Seeds looked at for that.
const SEEDS: usize = 1000;
/// What pages that came stand under in the ledger.
const PAGES: [Reason; 5] =
    [Reason::Kept, Reason::Noindex, Reason::Canonical, Reason::Offtopic, Reason::TooBig];

/// Fetch pages politely, extract documents, index them; run it again to continue
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke crawl                        until the queue is empty or a budget of fyke.toml is used up
  fyke crawl --pages 500            at most 500 pages in this run
  fyke crawl --time 10m             for ten minutes
  fyke crawl --set politeness.floor=2s
  fyke crawl --missing              fetch again the pages that fyke check reports as lost
  fyke crawl --exact                also update copies, ranks and topics, which may wait otherwise
  fyke crawl --serve                dashboard at http://127.0.0.1:7700/crawl: pause, stop, ban
  fyke crawl --serve 8000           dashboard on port 8000
  fyke crawl --watch --serve        goes on for ever: looks again at what may have changed

A crawl always continues where the last one stopped, and looks again at pages that are due (settings
[revisit]). Ctrl-C finishes the requests in flight and indexes what came; a second Ctrl-C ends at
once. Both give exit code 3, and so does a run that leaves URLs of hosts that ask for a wait, give
no answer or answer with errors: run it again later.")]
pub(super) struct Args {
    /// Maximum number of pages in this run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pages: Option<u64>,
    /// Maximum time of this run, for example 90s, 10m or 6h
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    time: Option<Duration>,
    /// Also update copies, ranks and topics at the end, even if few pages are new
    #[arg(long)]
    exact: bool,
    /// Fetch again the pages whose captures are missing or damaged
    #[arg(long)]
    missing: bool,
    /// Go on for ever: wait for pages to be due again and fetch them
    #[arg(long, conflicts_with = "pages")]
    watch: bool,
    /// Serve the site with a dashboard while crawling [default address: serve.bind]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, value_parser = parse_address)]
    serve: Option<Option<SocketAddr>>,
}

fn some_time(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("no time at all; give it 10s or more".to_string()),
        time => Ok(time),
    }
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let root = opened::find(global)?;
    let config = opened::settings(global, Some(&root))?.config;
    let mut options = fyke_stages::crawl_options(&config)?;
    if args.watch && options.revisit.policy.is_none() {
        let message = "--watch: nothing is ever due, for revisit.policy is \"off\"";
        return Err(Failure::usage(message.to_owned()).into());
    }
    let collection = fyke_stages::open(&root, &config)?;
    collection.captures.set_operator(&config.collection.contact);
    if args.missing {
        let queued = collection.queue_missing()?;
        let queued = show::count(queued);
        output::note(global.quiet, &format!("{queued} URLs queued again: their captures are gone"));
    }
    let before = pages(&collection)?;
    limit(&mut options, before, args);
    // The runtime lives as long as the stages, and with it the site and the ear for Ctrl-C.
    let runtime = Runtime::new()?;
    let collection = Arc::new(collection);
    let stop = Control::new();
    listen(&runtime, stop.clone());
    let live = Arc::new(Live::new(stop.clone()));
    let announced = Announced::start(&root, &live);
    let dashboard = match args.serve {
        None => None,
        Some(bind) => {
            let bind = bind.unwrap_or(config.serve.bind);
            let start = Dashboard::start(global, &config, bind, &collection, &live);
            Some(runtime.block_on(start)?)
        }
    };
    let mut spent = Stages::default();
    spent.enter("fetch");
    let pace = if args.exact { Eagerness::Exact } else { Eagerness::Usual };
    let job = Job { global, config: &config, collection: &collection, live: &live, pace };
    let done = match args.watch {
        true => watch(&job, &runtime, (&options, args.time), &stop),
        false => job.fetch(&runtime, &options, stop.clone()),
    };
    // The stages may be cut anywhere: from here on a signal ends the process.
    stop.stop();
    // Whatever ended the crawl, what came before is worth having.
    let made = job.finish(&mut spent);
    if let Some(dashboard) = dashboard {
        runtime.block_on(dashboard.end());
    }
    drop(announced);
    let mut summary = done?;
    let (collection, made) = match made {
        Err(error) if is_of_documents(&error) => {
            output::note(global.quiet, &format!("{error:#}"));
            drop(collection);
            let collection = Arc::new(fyke_stages::open(&root, &config)?);
            let made = finish(global, &config, &collection, &mut |_| ())?;
            (collection, made)
        }
        made => (collection, made?),
    };
    // Sitemaps are no pages: what counts against the budget is what people asked for.
    summary.pages_fetched = summary.budget_pages_used.saturating_sub(before);
    tell_redirects(global, &summary);
    tell_unmatched(global, &summary);
    let limits = RunLimits { pages: args.pages, time: args.time };
    let cuts = cuts(&config, limits, &summary);
    report(global, &collection, (&summary, &cuts), (&made, spent))?;
    exit(global, &collection, (&options, &summary))
}

/// Hears Ctrl-C for as long as the runtime lives.
fn listen(runtime: &Runtime, stop: Control) {
    runtime.spawn(async move { drop(stop::on_interrupt(stop).await) });
}

/// Whether the documents were found damaged: they are made again when the collection is opened again.
fn is_of_documents(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let store = match cause.downcast_ref::<DeriveError>() {
            Some(DeriveError::Store(error)) => Some(error),
            _ => cause.downcast_ref::<StoreError>(),
        };
        let Some(StoreError::Damaged { path, .. }) = store else { return false };
        path.ancestors().any(|dir| dir.ends_with("documents"))
    })
}

/// A crawl and what follows it, with whoever watches.
pub(super) struct Job<'a> {
    global: &'a Global,
    config: &'a Config,
    collection: &'a Collection,
    live: &'a Live,
    pace: Eagerness,
}

impl Job<'_> {
    /// Fetches, and lets what has come be searched meanwhile.
    pub(super) fn fetch(
        &self,
        runtime: &Runtime,
        options: &CrawlOptions,
        stop: Control,
    ) -> anyhow::Result<Summary> {
        let (under_way, over) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(move || fyke_stages::keep_fresh(self.collection, self.config, &over));
            let done = runtime.block_on(self.watched(options, stop));
            drop(under_way);
            done
        })
    }

    async fn watched(&self, options: &CrawlOptions, stop: Control) -> anyhow::Result<Summary> {
        let mut watch = |now: &fyke_crawl::CrawlProgress| self.live.observe(now);
        crawl_shown(self.global, self.collection, options, stop, &mut watch).await
    }

    /// Makes documents and index between two rounds.
    pub(super) fn make_round(&self) -> anyhow::Result<()> {
        self.live.fetched();
        let mut watch = |step: Step| self.live.making(step);
        make(self.global, self.config, self.collection, (self.pace, &mut watch))?;
        self.live.goes_on();
        Ok(())
    }

    pub(super) fn tell(&self, note: &str) {
        output::note(self.global.quiet, note);
    }

    /// Makes documents and index; the site keeps showing how the crawl ended.
    fn finish(&self, spent: &mut Stages) -> anyhow::Result<Made> {
        self.live.fetched();
        let mut watch = |step: Step| {
            spent.enter(step.stage);
            self.live.making(step);
        };
        let made = make(self.global, self.config, self.collection, (self.pace, &mut watch))?;
        spent.enter("settle");
        self.collection.settle()?;
        Ok(made)
    }
}

/// Pages of earlier runs.
fn pages(collection: &Collection) -> anyhow::Result<u64> {
    let mut pages = 0;
    for host in collection.ledger.hosts() {
        pages += host?.1.pages;
    }
    Ok(pages)
}

/// `--pages` and `--time` narrow the budget of this run; those of fyke.toml still hold.
fn limit(options: &mut CrawlOptions, before: u64, args: &Args) {
    let budget = &mut options.budget;
    if let Some(pages) = args.pages {
        let whole = budget.pages.unwrap_or(u64::MAX);
        budget.pages = Some(whole.min(before.saturating_add(pages)));
        budget.run_pages = Some(pages);
    }
    if let Some(time) = args.time {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        budget.time = Some(budget.time.unwrap_or(u64::MAX).min(millis));
    }
}

/// Runs a crawl and shows how it goes, also to `watch`. At its end `stop` is stopped: the stages that follow may be
/// cut anywhere, so a signal there ends the process.
///
/// # Errors
/// Trouble with the disk.
pub(super) async fn with_progress(
    global: &Global,
    collection: &Collection,
    options: &CrawlOptions,
    stop: Control,
    watch: &mut dyn FnMut(&fyke_crawl::CrawlProgress),
) -> anyhow::Result<Summary> {
    let done = crawl_shown(global, collection, options, stop.clone(), watch).await;
    stop.stop();
    done
}

/// The same, and `stop` stays as it is.
async fn crawl_shown(
    global: &Global,
    collection: &Collection,
    options: &CrawlOptions,
    stop: Control,
    watch: &mut dyn FnMut(&fyke_crawl::CrawlProgress),
) -> anyhow::Result<Summary> {
    let mut progress = Progress::start(global.quiet, "crawl", None);
    let before = pages(collection)?;
    let most = options.budget.pages.map(|pages| pages.saturating_sub(before));
    let control = stop.clone();
    let mut observe = |now: &fyke_crawl::CrawlProgress| {
        let is_paused = control.is_paused();
        progress.of(most.filter(|most| !is_paused && will_use_up(now, *most)));
        progress.at(now.fetched, &standing(now, is_paused));
        watch(now);
    };
    let summary = crawl_web(collection, options, &mut observe, stop).await;
    progress.finish();
    Ok(summary?)
}

/// Whether so many pages will come, as far as anybody knows: fewer may be all there are.
fn will_use_up(now: &fyke_crawl::CrawlProgress, pages: u64) -> bool {
    now.fetched + now.queued >= pages
}

/// How a crawl stands, in a line.
fn standing(now: &fyke_crawl::CrawlProgress, is_paused: bool) -> String {
    let (queued, waiting, failed) = (now.queued, now.hosts_waiting, now.errors);
    let size = show::size(now.bytes);
    let paused = if is_paused { "paused, " } else { "" };
    let hosts = if waiting == 1 { "host" } else { "hosts" };
    let again = if now.again > 0 { format!("{} again, ", now.again) } else { String::new() };
    let mut text = format!(
        "{paused}{again}{queued} queued, {waiting} {hosts} waiting, {failed} failed, {size}"
    );
    if let Some(harvest) = now.harvest.as_ref().filter(|harvest| harvest.pages > 0) {
        let (rate, late) = (100. * harvest.rate(), 100. * harvest.late_rate());
        let on = harvest.on;
        text += &format!(", {on} wanted ({rate:.0} %, of the last 500 {late:.0} %)");
    }
    text
}

/// Derive, analyse, index, and the capture index; `watch` sees how far they are.
///
/// # Errors
/// Trouble with the disk.
pub(super) fn finish(
    global: &Global,
    config: &Config,
    collection: &Collection,
    watch: &mut dyn FnMut(Step),
) -> anyhow::Result<Made> {
    let made = make(global, config, collection, (Eagerness::Usual, watch))?;
    collection.settle()?;
    Ok(made)
}

fn make(
    global: &Global,
    config: &Config,
    collection: &Collection,
    (pace, watch): (Eagerness, &mut dyn FnMut(Step)),
) -> anyhow::Result<Made> {
    summary::with_progress(global, |observe| {
        let mut both = |step: Step| {
            watch(step);
            observe(step);
        };
        fyke_stages::run_at(collection, config, pace, &mut both)
    })
}

fn report(
    global: &Global,
    collection: &Collection,
    (done, cuts): (&Summary, &[BudgetCut]),
    (made, spent): (&Made, Stages),
) -> anyhow::Result<()> {
    let counts: BTreeMap<Reason, u64> = reasons::counts(collection)?;
    if global.json {
        return output::say_json(&json!({
            "stopped": why(done, cuts),
            "unmatched_patterns": done.unmatched.iter().map(|UnmatchedPattern { list, pattern }| json!({
                "setting": format!("scope.{list}"), "pattern": pattern,
            })).collect::<Vec<_>>(),
            "cuts": cuts.iter().map(BudgetCut::json).collect::<Vec<_>>(),
            "pages_fetched": done.pages_fetched,
            "again": done.again,
            "changed": done.changed,
            "gone": done.gone,
            "budget_pages_used": done.budget_pages_used,
            "bytes": done.bytes,
            "errors": done.errors,
            "queued": done.queued,
            "given_up": done.given_up,
            "rest": done.rest,
            "goes_on": done.goes_on,
            "seed_redirects": done.seed_redirects.iter().map(|redirect| json!({
                "from": redirect.from, "to": redirect.to,
            })).collect::<Vec<_>>(),
            "seconds": done.elapsed.as_secs_f64(),
            "made": made,
            "cpu_seconds": spent.finish().into_iter().map(|(stage, took)| json!({
                "stage": stage, "cpu": took.as_secs_f64(),
            })).collect::<Vec<_>>(),
            "peak_rss_bytes": peak_rss(),
            "reasons": summary::funnel_json(&counts),
        }));
    }
    let rate = done.pages_fetched as f64 / done.elapsed.as_secs_f64().max(0.001);
    output::say(&format!(
        "{} pages fetched{} in {:.1} s ({rate:.1} a second), {}; {}\n{}\n\n{}",
        show::count(done.pages_fetched),
        again(done),
        done.elapsed.as_secs_f64(),
        show::size(done.bytes),
        why(done, cuts),
        summary::made(made),
        summary::funnel(&counts)
    ));
    cuts.iter().for_each(|cut| output::note(global.quiet, &cut.tell()));
    Ok(())
}

/// What visits to pages of earlier runs found.
fn again(done: &Summary) -> String {
    let Summary { again, changed, gone, .. } = *done;
    let counts = [again, changed, gone].map(show::count);
    match again {
        0 => String::new(),
        _ => format!(
            " and {} looked at again ({} changed, {} gone)",
            counts[0], counts[1], counts[2]
        ),
    }
}

/// Says which seeds took the scope along.
fn tell_redirects(global: &Global, done: &Summary) {
    for SeedRedirect { from, to } in &done.seed_redirects {
        let note = format!("the seed {from} redirects to {to}: that host is in scope too");
        output::note(global.quiet, &output::tame(&note));
    }
}

/// Says which patterns of the scope matched nothing, where pages came that they could have matched.
fn tell_unmatched(global: &Global, done: &Summary) {
    for UnmatchedPattern { list, pattern } in
        done.unmatched.iter().filter(|_| done.pages_fetched > 0)
    {
        let hint = match pattern.contains("http") {
            true => "; patterns are matched against host/path?query, without the scheme",
            false => "",
        };
        let note =
            format!("scope.{list}: the pattern {pattern:?} matched no URL in this run{hint}");
        output::note(global.quiet, &note);
    }
}

fn why(done: &Summary, cuts: &[BudgetCut]) -> &'static str {
    match done.stopped {
        Stopped::Finished if done.queued > 0 => "the rest is of hosts that wait",
        Stopped::Finished if done.rest > 0 => "the rest is of hosts that answer with errors",
        Stopped::Finished if done.given_up > 0 => "the rest is of hosts that gave no answer",
        Stopped::Finished if !cuts.is_empty() => "nothing left to fetch within the budgets",
        Stopped::Finished => "nothing left to fetch",
        Stopped::Budget => "budget used up",
        Stopped::Time => "time used up",
        Stopped::Stopped => "stopped by you",
    }
}

/// Whether URLs wait for the next run.
fn has_rest(done: &Summary) -> bool {
    done.queued + done.given_up + done.rest > 0
}

/// When to run again, where not at once.
fn later(done: &Summary) -> String {
    let until = done.goes_on.and_then(|until| i64::try_from(until).ok());
    match (done.stopped, until) {
        (Stopped::Finished, Some(until)) => {
            let (moment, wait) = (show::moment(until), show::span(until - show::now()));
            format!(" after {moment} (in {wait})")
        }
        (Stopped::Finished, None) => " later".to_owned(),
        _ => String::new(),
    }
}

fn exit(
    global: &Global,
    collection: &Collection,
    (options, done): (&CrawlOptions, &Summary),
) -> anyhow::Result<Exit> {
    let seeds = seed_rows(collection, &options.seeds)?;
    let is_page = |reason: &Reason| PAGES.contains(reason);
    let nothing = done.budget_pages_used == 0
        || !done.reasons.keys().any(is_page) && seeds.iter().all(|row| row.reason != Reason::Type);
    let has_rest = has_rest(done) && (!nothing || done.rest > 0);
    if done.stopped != Stopped::Finished || has_rest {
        let so_far = match nothing {
            true if done.rest > 0 => {
                format!("nothing was fetched so far{}; ", troubles(collection, &seeds)?)
            }
            true => "nothing was fetched so far; ".to_owned(),
            false => String::new(),
        };
        let note = format!("{so_far}run the same command again{} to continue", later(done));
        output::note(global.quiet, &note);
        return Ok(Exit::Stopped);
    }
    if nothing {
        let message = format!("nothing could be fetched{}", troubles(collection, &seeds)?);
        return Err(Failure { exit: Exit::NothingFetched, message }.into());
    }
    Ok(Exit::Done)
}

/// The rows of the seeds and of what they redirect to.
fn seed_rows(collection: &Collection, seeds: &[Url]) -> anyhow::Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for seed in seeds.iter().take(SEEDS) {
        let mut next = collection.ledger.get(seed.id())?;
        while let Some(row) = next.filter(|row| rows.iter().all(|known| known.url != row.url)) {
            let target = row.redirect.as_deref().and_then(|url| Url::parse(url).ok());
            rows.push(row);
            next = target.map_or(Ok(None), |url| collection.ledger.get(url.id()))?;
        }
    }
    Ok(rows)
}

/// What became of the first seeds and what the first hosts said, for a crawl that got nothing from any.
fn troubles(collection: &Collection, seeds: &[Row]) -> anyhow::Result<String> {
    let mut text = String::new();
    let ends = seeds.iter().filter(|row| row.reason != Reason::Redirect);
    for row in ends.take(TROUBLES) {
        let what = if row.detail.is_empty() { row.reason.explain() } else { &row.detail };
        text += &output::tame(&format!("; {}: {}, {what}", row.url, row.reason.name()));
    }
    for host in collection.ledger.hosts().take(TROUBLES) {
        let (name, host) = host?;
        let sides = [collection.ledger.side(&name, false)?, collection.ledger.side(&name, true)?];
        let mut said = sides.into_iter().flatten().chain([host]).map(|host| host.waits);
        if let Some(waits) = said.find(|waits| !waits.is_empty()) {
            text += &format!("; {name}: {}", output::tame(&waits));
        }
    }
    Ok(text + "; `fyke why URL` explains one URL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_hosts_that_wait_or_gave_no_answer_is_told() {
        let done = |queued, given_up| Summary {
            stopped: Stopped::Finished,
            pages_fetched: 7,
            budget_pages_used: 7,
            again: 0,
            changed: 0,
            gone: 0,
            next_due: None,
            bytes: 0,
            errors: 0,
            queued,
            given_up,
            rest: 0,
            goes_on: None,
            seed_redirects: Vec::new(),
            unmatched: Vec::new(),
            known: 9,
            reasons: BTreeMap::new(),
            elapsed: Duration::ZERO,
        };
        let check = |queued, given_up, expected| {
            let done = done(queued, given_up);
            assert_eq!((why(&done, &[]), has_rest(&done)), expected);
        };
        check(0, 0, ("nothing left to fetch", false));
        check(2, 1, ("the rest is of hosts that wait", true));
        check(0, 1, ("the rest is of hosts that gave no answer", true));
    }

    #[test]
    fn a_paused_crawl_says_so_and_a_budget_is_told_once_it_will_be_used_up() {
        let now = fyke_crawl::CrawlProgress {
            fetched: 7,
            queued: 3,
            ..fyke_crawl::CrawlProgress::default()
        };
        assert_eq!(standing(&now, false), "3 queued, 0 hosts waiting, 0 failed, 0 B");
        assert!(standing(&now, true).starts_with("paused, 3 queued"));
        assert!(will_use_up(&now, 10) && !will_use_up(&now, 11));
    }
}
