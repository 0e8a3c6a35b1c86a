//! The trial of revisit policies, alone: `cargo run --release -p fyke-learn --example revisit -- PAGES DAYS SEEDS` gives the mean of
//! so many seeds, with a visit to a page each so many days. Without seeds it uses one that no figure uses: constants are
//! chosen there.
#![allow(clippy::print_stdout)]

use fyke_learn::revisit::{RevisitContender, RevisitTrial};

fn main() {
    let number = |n: usize, usual: f64| {
        std::env::args().nth(n).and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let (pages, every, seeds) = (number(1, 2000.0) as usize, number(2, 1.0), number(3, 0.0) as u64);
    let trial = RevisitTrial { pages, every, ..RevisitTrial::default() };
    let seeds: Vec<u64> = if seeds == 0 { vec![101] } else { (1..=seeds).collect() };
    for contender in RevisitContender::all() {
        let (mut age, mut fresh, mut error) = (0.0, 0.0, 0.0);
        for seed in &seeds {
            let score = trial.run(&contender, *seed);
            age += 24.0 * score.mean_age / seeds.len() as f64;
            fresh += 100.0 * score.freshness / seeds.len() as f64;
            error += score.error / seeds.len() as f64;
        }
        let name = contender.name();
        println!("{name:24} {age:.3} h, {fresh:.1} % fresh, rates off by {error:.2} doublings");
    }
}
