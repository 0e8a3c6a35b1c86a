//! All ways through a text from word to word: the cheapest, and how likely each word is used.

/// A word that may stand between two places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    /// The logarithm of its likelihood, with the sign turned.
    pub cost: f32,
    /// Whether it is one of the dictionary, not of a rule.
    pub is_word: bool,
}

/// The cheapest way from the start to `end`, as the places between which its words stand. Edges come
/// in the order of their start, and one to the next place from each.
pub(super) fn shortest(end: usize, edges: &[Edge]) -> Vec<(usize, usize)> {
    let mut best = vec![(f32::INFINITY, 0); end + 1];
    best[0].0 = 0.0;
    for edge in edges {
        let cost = best[edge.from].0 + edge.cost;
        if cost < best[edge.to].0 {
            best[edge.to] = (cost, edge.from);
        }
    }
    let mut path = Vec::new();
    let mut at = end;
    while at > 0 {
        path.push((best[at].1, at));
        at = best[at].1;
    }
    path.reverse();
    path
}

/// Shows every edge with the share of all ways that use it, each way by its likelihood.
pub(super) fn likely_uses(end: usize, edges: &[Edge], mut show: impl FnMut(&Edge, f32)) {
    let (mut up_to, mut behind) =
        (vec![f64::NEG_INFINITY; end + 1], vec![f64::NEG_INFINITY; end + 1]);
    (up_to[0], behind[end]) = (0.0, 0.0);
    for edge in edges {
        up_to[edge.to] = either(up_to[edge.to], up_to[edge.from] - f64::from(edge.cost));
    }
    for edge in edges.iter().rev() {
        behind[edge.from] = either(behind[edge.from], behind[edge.to] - f64::from(edge.cost));
    }
    for edge in edges {
        let both = up_to[edge.from] - f64::from(edge.cost) + behind[edge.to] - up_to[end];
        show(edge, both.exp() as f32);
    }
}

/// The logarithm of the sum of what two are the logarithms of.
fn either(a: f64, b: f64) -> f64 {
    let (more, less) = (a.max(b), a.min(b));
    if less == f64::NEG_INFINITY { more } else { more + (less - more).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_all_ways_over_a_place_add_up_to_one() {
        let edge = |from, to, cost| Edge { from, to, cost, is_word: true };
        let edges =
            [edge(0, 1, 1.0), edge(0, 2, 1.5), edge(1, 2, 2.0), edge(1, 3, 1.0), edge(2, 3, 0.5)];
        let mut over = [0.0; 3];
        likely_uses(3, &edges, |edge, share| {
            (edge.from..edge.to).for_each(|place| over[place] += share);
        });
        assert!(over.iter().all(|sum| (sum - 1.0).abs() < 1e-5), "{over:?}");
        assert_eq!(shortest(3, &edges), [(0, 1), (1, 3)]);
    }
}
