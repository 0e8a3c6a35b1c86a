//! What one file may cost: steps of work and unpacked bytes. Every loop whose length a file decides
//! pays from here, so that a hostile file ends early instead of holding a thread. A step is a token, a glyph,
//! 16 bytes searched or 8 bytes unpacked: about 25 nanoseconds.

use std::cell::Cell;

/// Unpacked bytes of all streams together.
const MOST_UNPACKED: u64 = 128 << 20;
/// Unpacked bytes of one stream.
pub(super) const MOST_STREAM: usize = 32 << 20;

/// What is left to spend.
#[derive(Debug)]
pub(super) struct Fuel {
    steps: Cell<u64>,
    bytes: Cell<u64>,
    cut: Cell<bool>,
}

#[cfg(test)]
impl Default for Fuel {
    fn default() -> Self {
        Self::of(crate::budget::MOST_STEPS)
    }
}

impl Fuel {
    /// So many steps.
    pub(super) fn of(steps: u64) -> Self {
        let (bytes, cut) = (Cell::new(MOST_UNPACKED), Cell::new(false));
        Self { steps: Cell::new(steps), bytes, cut }
    }

    /// Steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.steps.get()
    }

    /// Pays `steps`; false when they are not there.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let left = self.steps.get().checked_sub(steps as u64);
        self.steps.set(left.unwrap_or(0));
        self.cut.set(self.cut.get() || left.is_none());
        left.is_some()
    }

    /// Pays for a search through `length` bytes.
    pub(super) fn search(&self, length: usize) -> bool {
        self.spend(1 + length / 16)
    }

    /// Pays for `length` bytes that a token was found in, or that stand between two; the token itself
    /// is paid already.
    pub(super) fn passed(&self, length: usize) {
        self.spend(length / 16);
    }

    /// How many bytes the next stream may unpack to.
    pub(super) fn room(&self) -> usize {
        usize::try_from(self.bytes.get()).unwrap_or(usize::MAX).min(MOST_STREAM)
    }

    /// Pays for unpacked bytes; those that filled all the `room` were cut.
    pub(super) fn unpacked(&self, bytes: usize) {
        self.spend(bytes / 8);
        if bytes >= self.room() {
            self.cut.set(true);
        }
        self.bytes.set(self.bytes.get().saturating_sub(bytes as u64));
    }

    /// Notes that something was left out at a limit kept elsewhere.
    pub(super) fn cut(&self) {
        self.cut.set(true);
    }

    /// Whether anything was cut at a limit.
    pub(super) fn was_cut(&self) -> bool {
        self.cut.get()
    }

    /// Whether there is nothing left to work with.
    pub(super) fn is_spent(&self) -> bool {
        self.steps.get() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_is_gone_and_noted() {
        let fuel = Fuel::default();
        assert!(fuel.spend(1) && !fuel.was_cut());
        assert!(!fuel.spend(usize::MAX));
        assert!(fuel.was_cut() && fuel.is_spent() && !fuel.spend(1));
    }

    #[test]
    fn a_stream_that_fills_the_room_was_cut() {
        let fuel = Fuel::default();
        fuel.unpacked(1000);
        assert!(!fuel.was_cut());
        fuel.unpacked(MOST_STREAM);
        assert!(fuel.was_cut());
    }
}
