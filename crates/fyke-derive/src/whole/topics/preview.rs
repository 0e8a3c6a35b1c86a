//! What other keywords would do: both outlines are learnt from the same sample of documents, and each
//! document is placed by both. Nothing is written.

use super::{Outline, gather, left_out, model};
use fyke_store::{StoreError, View};
use serde::Serialize;
use std::collections::BTreeMap;

/// Documents of the sample.
const SAMPLE: usize = 5_000;

/// What would be otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Preview {
    /// Documents that were looked at, and of these those that would move.
    pub documents: usize,
    pub moved: usize,
    /// Every topic whose documents would be others, and the empty name for no topic.
    pub moves: Vec<Move>,
}

/// What would become of a topic.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Move {
    pub name: String,
    pub before: usize,
    pub after: usize,
    /// Documents that would come, and go.
    pub come: usize,
    pub go: usize,
}

/// Compares two outlines.
///
/// # Errors
/// When documents cannot be read.
pub fn preview(
    collection: &View,
    before: &Outline,
    after: &Outline,
) -> Result<Preview, StoreError> {
    let out = left_out(&collection.cells())?;
    let places = |outline: &Outline| -> Result<Vec<String>, StoreError> {
        let (lexicon, bags) = gather(collection, outline, (&out, SAMPLE), |_| {})?.finish();
        let model = model(&lexicon, &bags, outline);
        let place = |words: &Vec<_>| {
            let topics = model.topics(&model.shares(words));
            topics.first().map_or(String::new(), |(node, _)| outline.names[*node].clone())
        };
        Ok(bags.documents.iter().map(place).collect())
    };
    Ok(compare(&places(before)?, &places(after)?))
}

fn compare(before: &[String], after: &[String]) -> Preview {
    let mut moves: BTreeMap<&String, Move> = BTreeMap::new();
    let mut moved = 0;
    for (old, new) in before.iter().zip(after) {
        moves.entry(old).or_default().before += 1;
        moves.entry(new).or_default().after += 1;
        if old != new {
            moved += 1;
            moves.entry(old).or_default().go += 1;
            moves.entry(new).or_default().come += 1;
        }
    }
    let moves = moves.into_iter().filter(|(_, of)| of.come + of.go > 0);
    let moves = moves.map(|(name, of)| Move { name: name.clone(), ..of }).collect();
    Preview { documents: before.len(), moved, moves }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_tell_who_would_come_and_go() {
        let names = |text: &str| text.split(' ').map(|n| n.replace('-', "")).collect::<Vec<_>>();
        let preview = compare(&names("a a b - c"), &names("a b b a c"));
        assert_eq!((preview.documents, preview.moved), (5, 2));
        let told = |m: &Move| format!("{}:{}→{} +{} -{}", m.name, m.before, m.after, m.come, m.go);
        let told: Vec<String> = preview.moves.iter().map(told).collect();
        assert_eq!(told, [":1→0 +0 -1", "a:2→2 +1 -1", "b:1→2 +1 -0"]);
    }
}
