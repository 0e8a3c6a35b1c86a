//! `cargo bench-fyke sim`: CPU time to train each guide on a made web and to send it over another of the same
//! size (L1), and how that grows with the links.

use super::machine::cpu_time;
use super::report::{BenchReport, Figure};
use super::{Args, Benchmark};
use fyke_lab::sim::Contender;
use fyke_learn::spider::{LYING, RecordedWeb, replay};
use fyke_pond::words::PondDice;
use fyke_stages::memory;

pub(crate) const ROW: Benchmark = Benchmark {
    name: "sim",
    what: "guides trained on a made web and sent over another: CPU time for each, and its growth",
    options: &["links", "pin"],
    run,
};

const LINKS: u64 = 1_000_000;
/// The smaller webs that growth is counted from have so many times fewer links.
const SMALLER: u64 = 10;
/// Links of a page: two lead to pages of its own, so that all can be reached.
const OF_A_PAGE: u32 = 10;
/// Every so many-th page of the wanted topic is a target.
const TOPICS: u32 = 64;
const WANTED: u32 = 4;
/// Words about a link: of the topic that it leads to, of any other, and where it lies.
const OF_TOPIC: u32 = 3;
const OF_ANY: u32 = 6;
const TOPIC_WORDS: u32 = 200;
const ANY_WORDS: usize = 50_000;
const FOLDERS: u32 = 500;

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let links = args.links.unwrap_or(LINKS);
    let [smaller, whole] = [links / SMALLER, links].map(|links| [made(links, 1), made(links, 2)]);
    let mut report = BenchReport::default();
    report.add("links", whole[1].len() as f64, "");
    report.add("pages", whole[1].pages() as f64, "");
    for guide in Contender::all() {
        let before = spent(guide, &smaller)?;
        let [training, replaying] = spent(guide, &whole)?;
        let times = smaller[1].len() as f64 / whole[1].len() as f64;
        let growth = (training + replaying) / (before[0] + before[1]).max(0.01) * times;
        report.labels.push(guide.name().to_owned());
        report.series.push(vec![
            Figure { name: "training", value: training, unit: "CPU s" },
            Figure { name: "replaying", value: replaying, unit: "CPU s" },
            Figure { name: "a_link_to_one_of_ten_times_fewer", value: growth, unit: "" },
        ]);
    }
    report.add("peak_rss", memory::peak_rss() as f64, "bytes");
    Ok(report)
}

/// CPU-seconds to train a guide on the first web, and to send it over the second.
fn spent(guide: Contender, [known, other]: &[RecordedWeb; 2]) -> anyhow::Result<[f64; 2]> {
    let start = cpu_time("self")?;
    let mut policy = guide.train(&[known]);
    let trained = cpu_time("self")?;
    let curve = replay(other, &[0], policy.as_mut());
    let end = cpu_time("self")?;
    anyhow::ensure!(curve.followed == other.pages(), "{} left pages out", guide.name());
    Ok([(trained - start).as_secs_f64(), (end - trained).as_secs_f64()])
}

/// A web of so many links, where pages of a topic are linked to by its words.
fn made(links: u64, seed: u64) -> RecordedWeb {
    let pages = (links / u64::from(OF_A_PAGE)).max(2) as u32;
    let mut web = RecordedWeb::default();
    let mut dice = PondDice::new(seed);
    for page in 0..pages {
        let own = [2 * page + 1, 2 * page + 2].into_iter().filter(|to| *to < pages);
        let mut to: Vec<u32> = own.collect();
        while to.len() < OF_A_PAGE as usize {
            to.push(dice.below(pages as usize) as u32);
        }
        let folder = dice.below(FOLDERS as usize) as u32;
        let is_target = topic(page) == 0 && page % WANTED == 0;
        web.push(is_target, to.into_iter().map(|to| (to, words(to, folder, &mut dice))));
    }
    web
}

fn topic(page: u32) -> u32 {
    page.wrapping_mul(0x9e37_79b1) >> 16 & (TOPICS - 1)
}

fn words(to: u32, folder: u32, dice: &mut PondDice) -> Vec<u32> {
    let of_topic = topic(to) * TOPIC_WORDS;
    let mut words = vec![LYING | folder, LYING | (FOLDERS + topic(to))];
    words.extend((0..OF_TOPIC).map(|_| of_topic + dice.zipf(TOPIC_WORDS as usize) as u32));
    let any = |dice: &mut PondDice| TOPICS * TOPIC_WORDS + dice.zipf(ANY_WORDS) as u32;
    words.extend((0..OF_ANY).map(|_| any(dice)));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_web_has_its_links_its_targets_and_every_page_within_reach() {
        let web = made(20_000, 1);
        assert_eq!((web.len(), web.pages()), (20_000, 2_000));
        let targets = web.targets().iter().filter(|is_target| **is_target).count();
        assert!((1..40).contains(&targets), "{targets}");
        for guide in Contender::all() {
            assert!(spent(guide, &[made(2_000, 3), made(2_000, 4)]).is_ok(), "{}", guide.name());
        }
    }
}
