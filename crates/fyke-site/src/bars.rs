//! Why a hit stands where it stands: every signal by name and amount, and as a bar.

use fyke_index::Hit;

/// A signal of a hit's score.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    pub name: String,
    pub amount: String,
    /// Of the largest, in per cent.
    pub width: u32,
    /// Whether it takes away.
    pub is_loss: bool,
}

/// The signals of a hit, in their order.
pub(crate) fn bars(hit: &Hit) -> Vec<Bar> {
    let sizes = hit.explain.iter().map(|(_, amount)| amount.abs());
    let most = sizes.filter(|size| size.is_finite()).fold(f32::MIN_POSITIVE, f32::max);
    let bar = |(name, amount): &(String, f32)| Bar {
        name: name.clone(),
        amount: format!("{amount:.3}"),
        width: (100.0 * amount.abs() / most).clamp(0.0, 100.0).round() as u32,
        is_loss: *amount < 0.0,
    };
    hit.explain.iter().map(bar).collect()
}
