//! What URLs of one shape have brought so far, for the shapes of one host that were asked for last. A trap is a
//! shape whose pages bring nothing new any more, however many there are: no text, and no link to anything
//! else that may.

use serde::{Deserialize, Serialize};

/// Shapes of a host that are remembered.
const MOST_SHAPES: usize = 128;
/// Pages in a row without news after which others of the host come first, …
const PUT_OFF: u32 = 8;
/// … and after which the shape is a trap; …
const SAMPLE: u32 = 20;
/// … one more for so many that brought something, up to as many again as this.
const CREDIT: u32 = 4;
const MOST_CREDIT: u32 = 256;
/// So many successors show that a shape goes on by itself.
const ENDLESS: u32 = 8;
/// So many times as many pages leave no doubt, wherever a URL was found.
const SURELY: u32 = 4;

/// What stands for all URLs that were found on copies of other pages, whatever their shape.
pub(super) const ON_COPIES: u64 = 0;

/// One shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ShapeYield {
    key: u64,
    /// Pages fetched.
    pub(super) fetched: u32,
    /// Those that brought something new.
    pub(super) fresh: u32,
    /// Pages in a row, up to now, that did not.
    pub(super) idle: u32,
    /// URLs of the same shape that became known on pages which brought nothing else.
    pub(super) successors: u32,
    /// When it was last asked for, by the table's own count.
    used: u64,
}

impl ShapeYield {
    /// Others come first.
    pub(super) fn is_idle(&self) -> bool {
        self.idle >= PUT_OFF
    }

    /// Pages in a row without news that make it a trap.
    fn limit(&self) -> u32 {
        SAMPLE + (self.fresh / CREDIT).min(MOST_CREDIT)
    }

    /// Enough was seen of it.
    pub(super) fn is_spent(&self) -> bool {
        self.idle >= self.limit()
    }

    /// More than enough was.
    pub(super) fn is_surely_spent(&self) -> bool {
        self.idle >= SURELY * self.limit()
    }

    /// Its pages lead to others of its kind again and again, as the days of a calendar do.
    pub(super) fn goes_on(&self) -> bool {
        self.successors >= ENDLESS
    }

    /// The numbers, for people.
    pub(super) fn in_words(&self) -> String {
        let ShapeYield { fetched, fresh, idle, .. } = self;
        format!("{fetched} pages, {fresh} with news, none among the last {idle}")
    }
}

/// The shapes of one host.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ShapeTable {
    shapes: Vec<ShapeYield>,
    count: u64,
}

impl ShapeTable {
    pub(super) fn get(&self, key: u64) -> Option<&ShapeYield> {
        self.shapes.iter().find(|shape| shape.key == key)
    }

    pub(super) fn is_idle(&self, key: u64) -> bool {
        self.get(key).is_some_and(ShapeYield::is_idle)
    }

    /// Whether others come before URLs of some shape.
    pub(super) fn has_idle(&self) -> bool {
        self.shapes.iter().any(ShapeYield::is_idle)
    }

    /// Takes in what a page of this shape brought.
    pub(super) fn note(&mut self, key: u64, is_news: bool) {
        self.count += 1;
        let used = self.count;
        let at = self.shapes.iter().position(|shape| shape.key == key).unwrap_or_else(|| {
            let new = ShapeYield { key, fetched: 0, fresh: 0, idle: 0, successors: 0, used };
            self.place(new)
        });
        let shape = &mut self.shapes[at];
        (shape.used, shape.fetched) = (used, shape.fetched.saturating_add(1));
        match is_news {
            true => (shape.fresh, shape.idle) = (shape.fresh.saturating_add(1), 0),
            false => shape.idle = shape.idle.saturating_add(1),
        }
    }

    /// Takes in how many URLs of the same shape a page made known that brought nothing else.
    pub(super) fn note_successors(&mut self, key: u64, count: u32) {
        if let Some(shape) = self.shapes.iter_mut().find(|shape| shape.key == key) {
            shape.successors = shape.successors.saturating_add(count);
        }
    }

    /// Makes a place for a shape: a full table forgets the one that was asked for longest ago, one of a trap last.
    fn place(&mut self, new: ShapeYield) -> usize {
        if self.shapes.len() < MOST_SHAPES {
            self.shapes.push(new);
            return self.shapes.len() - 1;
        }
        let places = self.shapes.iter().enumerate();
        let oldest = places.min_by_key(|(_, shape)| (shape.is_idle(), shape.used));
        let at = oldest.map_or(0, |(at, _)| at);
        self.shapes[at] = new;
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(news: &[(bool, u32)]) -> ShapeYield {
        let mut table = ShapeTable::default();
        for &(is_news, times) in news {
            (0..times).for_each(|_| table.note(7, is_news));
        }
        *table.get(7).expect("it was noted")
    }

    #[test]
    fn a_shape_is_judged_by_its_last_pages_and_by_all_it_brought() {
        let check = |news: &[(bool, u32)], idle: bool, spent: bool| {
            let shape = after(news);
            assert_eq!((shape.is_idle(), shape.is_spent()), (idle, spent), "{news:?}");
        };
        check(&[(true, 1)], false, false);
        check(&[(true, 1), (false, 7)], false, false);
        check(&[(true, 1), (false, 8)], true, false);
        check(&[(true, 1), (false, 20)], true, true);
        check(&[(true, 1), (false, 19), (true, 1), (false, 7)], false, false);
        check(&[(true, 400), (false, 30)], true, false);
        check(&[(true, 400), (false, 120)], true, true);
        check(&[(true, 100_000), (false, 280)], true, true);
        assert!(!after(&[(true, 40), (false, 119)]).is_surely_spent());
        assert!(after(&[(true, 40), (false, 120)]).is_surely_spent());
    }

    #[test]
    fn a_full_table_remembers_traps() {
        let mut table = ShapeTable::default();
        (0..30).for_each(|_| table.note(7, false));
        (1_000..2_000).for_each(|key| table.note(key, true));
        assert_eq!(table.shapes.len(), MOST_SHAPES);
        assert!(table.is_idle(7));
        assert!(table.get(1_999).is_some() && table.get(1_000).is_none());
    }
}
