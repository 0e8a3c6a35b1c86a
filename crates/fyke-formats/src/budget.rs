//! What one input may cost, whatever is packed inside what: bytes to unpack, steps of work. A zip of a thousand
//! small hostile files costs no more than one of them.

use std::cell::Cell;

/// Most bytes that are unpacked from one input.
const MOST_UNPACKED: usize = 64 << 20;
/// Steps of work on one input, where a format counts them: about a second.
pub(crate) const MOST_STEPS: u64 = 40_000_000;
/// Steps that a byte of text inside an archive or a message costs.
const TEXT: u64 = 2;
/// What opening a file of an archive costs beside its bytes.
const OPENING: usize = 4 << 10;

/// What is left.
#[derive(Debug)]
pub(crate) struct InputBudget {
    bytes: Cell<usize>,
    steps: Cell<u64>,
}

impl Default for InputBudget {
    fn default() -> Self {
        Self { bytes: Cell::new(MOST_UNPACKED), steps: Cell::new(MOST_STEPS) }
    }
}

impl InputBudget {
    /// Bytes that may still be unpacked.
    pub(crate) fn left(&self) -> usize {
        self.bytes.get()
    }

    pub(crate) fn take(&self, bytes: usize) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }

    /// Pays for opening a file of an archive; false when nothing is left.
    pub(crate) fn open(&self) -> bool {
        self.take(OPENING);
        self.left() > 0
    }

    /// Steps that may still be made.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// As much of a text as can be paid for, paid.
    pub(crate) fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let most = usize::try_from(self.steps.get() / TEXT).unwrap_or(usize::MAX);
        let bytes = &bytes[..bytes.len().min(most)];
        self.steps.set(self.steps.get() - TEXT * bytes.len() as u64);
        bytes
    }

    /// Notes how many steps were left over.
    pub(crate) fn leave(&self, steps: u64) {
        self.steps.set(steps);
    }
}
