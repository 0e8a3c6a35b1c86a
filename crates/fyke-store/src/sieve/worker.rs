//! The thread behind a sieve: writes frozen tables as runs and merges runs. Tables go first: a long
//! merge stops now and then to let one through, so that inserts need not wait for it.

use super::manifest::{Manifest, run_path};
use super::merge::{SieveMerge, due};
use super::run::{RunWriter, SieveEntry, SieveRun};
use super::{FrozenTable, SieveShared, SieveState, SieveTable};
use crate::StoreError;
use crate::tail::{locked, sync_dir};
use std::ops::Range;
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;

/// Entries merged between two looks at what waits.
const STRIDE: usize = 1 << 16;

pub(super) fn start(shared: Arc<SieveShared>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        while let Some(task) = shared.next_task() {
            let result = match task {
                SieveTask::Write(frozen) => shared.write(&frozen),
                SieveTask::Merge(range) => shared.merge(range),
            };
            shared.done(result);
        }
    })
}

enum SieveTask {
    Write(Arc<FrozenTable>),
    Merge(Range<usize>),
}

/// A table's entries, by key.
pub(super) fn sorted(table: &SieveTable) -> Vec<SieveEntry> {
    let mut entries: Vec<SieveEntry> = table.iter().map(|(&key, &value)| (key, value)).collect();
    entries.sort_unstable();
    entries
}

impl SieveState {
    fn released(&self) -> Option<Arc<FrozenTable>> {
        (self.released > 0).then(|| self.frozen.front().cloned()).flatten()
    }

    fn task(&self) -> Option<SieveTask> {
        let sizes: Vec<u64> = self.runs.iter().map(|run| run.count()).collect();
        self.released().map(SieveTask::Write).or_else(|| due(&sizes).map(SieveTask::Merge))
    }
}

impl SieveShared {
    /// Waits for work; none when the sieve closes.
    fn next_task(&self) -> Option<SieveTask> {
        let mut state = locked(&self.state);
        loop {
            if state.is_closing {
                return None;
            }
            // After a failure nothing is tried until somebody has been told.
            if state.failure.is_none()
                && let Some(task) = state.task()
            {
                state.is_busy = true;
                return Some(task);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self, result: Result<(), StoreError>) {
        let mut state = locked(&self.state);
        // Still busy if more is due: whoever waits for the end waits for that too.
        state.is_busy = result.is_ok() && state.task().is_some();
        if let Err(error) = result {
            tracing::warn!(%error, "a table could not be written in the background");
            state.failure = Some(error);
        }
        self.changed.notify_all();
    }

    /// Writes the oldest frozen table as a run.
    fn write(&self, frozen: &FrozenTable) -> Result<(), StoreError> {
        // An empty table still moves the note.
        let made = if frozen.table.is_empty() { None } else { Some(self.write_run(frozen)?) };
        self.publish(|manifest| {
            manifest.runs.extend(made.as_ref().map(|(number, _)| *number));
            manifest.len = frozen.len;
            manifest.note.clone_from(&frozen.note);
        })?;
        let mut state = locked(&self.state);
        if let Some((_, run)) = made {
            let mut runs = state.runs.to_vec();
            runs.push(Arc::new(run));
            state.runs = Arc::new(runs);
        }
        state.frozen.pop_front();
        state.released -= 1;
        self.changed.notify_all();
        Ok(())
    }

    fn write_run(&self, frozen: &FrozenTable) -> Result<(u64, SieveRun), StoreError> {
        let number = self.take_number();
        let mut writer = RunWriter::new(&run_path(&self.dir, number), frozen.table.len() as u64)?;
        for entry in sorted(&frozen.table) {
            writer.push(entry)?;
        }
        let run = writer.finish()?;
        sync_dir(&self.dir)?;
        Ok((number, run))
    }

    /// Makes one run of several.
    fn merge(&self, range: Range<usize>) -> Result<(), StoreError> {
        let old: Vec<Arc<SieveRun>> = locked(&self.state).runs[range.clone()].to_vec();
        let number = self.take_number();
        let path = run_path(&self.dir, number);
        let mut writer = RunWriter::new(&path, old.iter().map(|run| run.count()).sum())?;
        let sources = old.iter().rev().map(|run| Box::new(run.clone().entries()) as Box<_>);
        for (n, entry) in SieveMerge::new(sources.collect()).enumerate() {
            writer.push(entry?)?;
            if n % STRIDE == STRIDE - 1 && self.lets_through()? {
                // Closing: the half-made run is deleted at the next opening.
                return Ok(());
            }
        }
        let run = Arc::new(writer.finish()?);
        sync_dir(&self.dir)?;
        let mut replaced = Vec::new();
        self.publish(|manifest| {
            replaced = manifest.runs.splice(range.clone(), [number]).collect();
        })?;
        {
            let mut state = locked(&self.state);
            let mut runs = state.runs.to_vec();
            runs.splice(range, [run]);
            state.runs = Arc::new(runs);
        }
        for number in replaced {
            // Readers that still hold it go on reading; a leftover is deleted at the next opening.
            if let Err(error) = crate::disk::remove_file(&run_path(&self.dir, number)) {
                tracing::warn!(%error, number, "an old run could not be deleted");
            }
        }
        Ok(())
    }

    /// Writes a table that came while merging; true when the sieve closes.
    fn lets_through(&self) -> Result<bool, StoreError> {
        let (is_closing, waiting) = {
            let state = locked(&self.state);
            (state.is_closing, state.released())
        };
        if let Some(frozen) = waiting.filter(|_| !is_closing) {
            self.write(&frozen)?;
        }
        Ok(is_closing)
    }

    fn take_number(&self) -> u64 {
        let mut manifest = locked(&self.manifest);
        manifest.next += 1;
        manifest.next - 1
    }

    /// Saves the changed manifest; the one in memory changes only with the one on disk.
    fn publish(&self, change: impl FnOnce(&mut Manifest)) -> Result<(), StoreError> {
        let mut new = locked(&self.manifest).clone();
        change(&mut new);
        new.save(&self.dir)?;
        *locked(&self.manifest) = new;
        Ok(())
    }
}
