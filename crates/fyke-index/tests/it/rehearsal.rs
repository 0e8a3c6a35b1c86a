//! Ranking by what was read once, which is how weights are learnt, and ranking by the index itself are the same.

use crate::corpus::corpus;
use fyke_index::Ranker;

/// Documents of a few words each, alike enough for feedback.
fn text() -> String {
    let words = ["wind", "turbine", "turbines", "sea", "tide", "mast", "e-bay", "rx-7", "blade"];
    let document = |id: usize| {
        let word = |step: usize| words[(id * step + id / 4) % words.len()];
        let title = format!("{} {}", word(3), word(5));
        let body: Vec<&str> = (1..12 + id % 7).map(word).collect();
        format!("{id} a.test en {title}: {}\n", body.join(" "))
    };
    (1..60).map(document).collect()
}

#[test]
fn a_rehearsal_ranks_as_the_index_does() {
    let made = corpus(&text());
    let rankers = ["", "title=9 k1=0.4", "feedback=2 nearness=0", "variant=0.1 whole=3 part=0.2"];
    let rankers = rankers.iter().chain(&["feedback=0 coordination=0 title-coverage=7", "flat"]);
    let rankers: Vec<_> = rankers.map(|text| Ranker::parse(text).unwrap().weights).collect();
    for text in ["wind turbine", "tide", "rx-7 mast sea", "\"wind mast\" blade", "+sea -tide e-bay"]
    {
        let query = made.index.query(text);
        let mut rehearsal = made.index.rehearsal(&query, 1_000).unwrap();
        for weights in &rankers {
            let expected = made.index.ranking(&query, 1_000, weights).unwrap();
            let found = rehearsal.ranking(weights).unwrap();
            assert!(expected.len() > 3 && found.len() == expected.len(), "{text}");
            for ((name, score), (expected_name, expected_score)) in found.iter().zip(&expected) {
                let is_near = (score - expected_score).abs() < 1e-3 * expected_score.abs().max(1.0);
                assert!(is_near, "{text}: {name} {score}, {expected_name} {expected_score}");
            }
        }
    }
}
