//! Simulated users: they see a list of graded documents and click, by the two models of the
//! literature (position-based: Richardson and others 2007; cascade: Craswell and others 2008).

use fyke_eval::random::Random;

/// A random number between 0 and 1.
pub fn share(random: &mut Random) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

/// How people click: the grades (0 to 3) of the results shown → the ranks clicked.
pub type Model = fn(&[usize], &mut Random) -> Vec<usize>;

/// Both models, by name.
pub const MODELS: [(&str, Model); 2] = [("position", position_based), ("cascade", cascade)];

/// How inviting a result of each grade is.
const ATTRACTION: [f64; 4] = [0.05, 0.3, 0.6, 0.9];
/// How often the search is over after a click on it.
const SATISFACTION: [f64; 4] = [0.1, 0.4, 0.7, 0.95];

/// A result is looked at by its rank alone, and clicked by its grade.
fn position_based(grades: &[usize], random: &mut Random) -> Vec<usize> {
    let ranked = (1..).zip(grades);
    let clicked =
        ranked.filter(|&(rank, &grade)| share(random) < ATTRACTION[grade] / f64::from(rank));
    clicked.map(|(rank, _)| rank as usize).collect()
}

/// From the top down, until something satisfies or patience is gone.
fn cascade(grades: &[usize], random: &mut Random) -> Vec<usize> {
    let mut clicks = Vec::new();
    for (rank, &grade) in (1..).zip(grades) {
        if share(random) < ATTRACTION[grade] {
            clicks.push(rank);
            if share(random) < SATISFACTION[grade] {
                break;
            }
        }
        if share(random) < 0.1 {
            break;
        }
    }
    clicks
}
