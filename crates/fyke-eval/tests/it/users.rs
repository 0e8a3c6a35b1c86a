//! Simulated users: they see a list of graded documents and click, by the two models of the
//! literature (position-based: Richardson and others 2007; cascade: Craswell and others 2008).

/// Random numbers that follow from a seed (SplitMix64).
pub struct Chance(pub u64);

impl Chance {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Between 0 and 1.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// How people click: the grades (0 to 3) of the results shown → the ranks clicked.
pub type Model = fn(&[usize], &mut Chance) -> Vec<usize>;

/// Both models, by name.
pub const MODELS: [(&str, Model); 2] = [("position", position_based), ("cascade", cascade)];

/// How inviting a result of each grade is.
const ATTRACTION: [f64; 4] = [0.05, 0.3, 0.6, 0.9];
/// How often the search is over after a click on it.
const SATISFACTION: [f64; 4] = [0.1, 0.4, 0.7, 0.95];

/// A result is looked at by its rank alone, and clicked by its grade.
fn position_based(grades: &[usize], chance: &mut Chance) -> Vec<usize> {
    let ranked = (1..).zip(grades);
    let clicked =
        ranked.filter(|&(rank, &grade)| chance.share() < ATTRACTION[grade] / f64::from(rank));
    clicked.map(|(rank, _)| rank as usize).collect()
}

/// From the top down, until something satisfies or patience is gone.
fn cascade(grades: &[usize], chance: &mut Chance) -> Vec<usize> {
    let mut clicks = Vec::new();
    for (rank, &grade) in (1..).zip(grades) {
        if chance.share() < ATTRACTION[grade] {
            clicks.push(rank);
            if chance.share() < SATISFACTION[grade] {
                break;
            }
        }
        if chance.share() < 0.1 {
            break;
        }
    }
    clicks
}
