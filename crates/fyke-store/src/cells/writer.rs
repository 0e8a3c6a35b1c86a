//! The writer's half: publishes batches and merges tablets. There is one writer at a time; whoever
//! opens it holds the collection.

use super::Cells;
use super::batch::{CellBatch, ColumnChanges, SharedNumbers, remove};
use super::declare::ColumnKind;
use super::manifest::{
    CellsState, ColumnEntry, NAME, OpenTablets, TabletManifest, Tablets, load_state,
};
use super::merge::{CellMerge, CellSource};
use super::tablet::{ColumnSection, SectionRecord, Tablet, path};
use super::write::TabletWriter;
use crate::StoreError;
use crate::disk;
use crate::sieve::merge::due;
use crate::tail::{locked, sync_dir};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// First bytes of the files in which columns were kept before there were tablets.
const FORMER: &[u8; 8] = b"fykecol1";
/// A tablet with so many void bytes, and more void than others, is written again alone.
const MUCH_VOID: u64 = 1 << 20;

/// Writes cells.
#[derive(Debug)]
pub struct CellsWriter {
    numbers: Arc<SharedNumbers>,
    current: Mutex<Cells>,
    /// Held while a batch is published.
    publishing: Mutex<()>,
}

impl CellsWriter {
    /// Opens a folder, making it where there is none, and deletes what a killed writer left there.
    ///
    /// # Errors
    /// When it cannot be read or written, or is damaged (so all of these).
    pub fn open(dir: &Path) -> Result<CellsWriter, StoreError> {
        disk::create_dir(dir).map_err(|e| StoreError::io(dir, e))?;
        let state = load_state(dir, None)?;
        // The manifest that is seen now must stay, before what it does not name goes.
        sync_dir(dir)?;
        tidy(dir, &state.manifest)?;
        let next = AtomicU64::new(state.manifest.next);
        let current = Mutex::new(Cells::assemble(dir, state));
        let numbers = Arc::new(SharedNumbers { dir: dir.to_owned(), next });
        Ok(CellsWriter { numbers, current, publishing: Mutex::default() })
    }

    /// The state as it was published last.
    pub fn cells(&self) -> Cells {
        locked(&self.current).clone()
    }

    /// An empty batch, whose cells will have this time.
    pub fn batch(&self, time: i64) -> CellBatch {
        CellBatch::new(self.numbers.clone(), time)
    }

    /// Makes everything in a batch visible at once, durably. A kill at any moment leaves the state
    /// before or the state after.
    ///
    /// # Errors
    /// When a value of the batch could not be encoded; the state stays as it was then, as it does
    /// when the folder cannot be written.
    pub fn publish(&self, mut batch: CellBatch) -> Result<(), StoreError> {
        let _one = locked(&self.publishing);
        if let Some(error) = batch.failed.take() {
            return Err(error);
        }
        let before = self.cells();
        let mut next = NextState::new(&self.numbers, &before);
        let stamp = before.0.stamp.next();
        // The tablets' names are durable before the manifest's that speaks of them.
        let published = next
            .apply(&mut batch)
            .and_then(|()| sync_dir(self.dir()))
            .and_then(|()| next.manifest.save(stamp, self.dir()));
        if let Err(error) = published {
            self.recover(&before, &next.tablets);
            return Err(error);
        }
        let NextState { manifest, mut tablets, .. } = next;
        let wanted: BTreeSet<u64> = manifest.files().collect();
        let unwanted: Vec<u64> = tablets.keys().filter(|n| !wanted.contains(n)).copied().collect();
        tablets.retain(|number, _| wanted.contains(number));
        let state = CellsState { stamp, manifest, tablets };
        *locked(&self.current) = Cells::assemble(self.dir(), state);
        unwanted.into_iter().for_each(|number| remove(&path(self.dir(), number)));
        Ok(())
    }

    /// Deletes all cells and all marks, durably. Whoever reads meanwhile keeps what was there.
    ///
    /// # Errors
    /// When the folder cannot be written; the state stays as it was then.
    pub fn clear(&self) -> Result<(), StoreError> {
        let _one = locked(&self.publishing);
        let before = self.cells();
        let mut manifest = before.0.manifest.clone();
        manifest.columns.clear();
        manifest.tablets.clear();
        manifest.marks.clear();
        manifest.next = self.numbers.next.load(Ordering::Relaxed);
        let stamp = before.0.stamp.next();
        manifest.save(stamp, self.dir())?;
        let state = CellsState { stamp, manifest, tablets: Tablets::new() };
        *locked(&self.current) = Cells::assemble(self.dir(), state);
        before.0.tablets.keys().for_each(|&number| remove(&path(self.dir(), number)));
        Ok(())
    }

    fn dir(&self) -> &Path {
        &self.numbers.dir
    }

    /// After an error: takes up the state that is on disk, which may be the new one, and removes the
    /// files that are not of it.
    fn recover(&self, before: &Cells, tablets: &Tablets) {
        let open = OpenTablets { of: before.0.stamp, tablets };
        let Ok(state) = load_state(self.dir(), Some(open)) else { return };
        let wanted: BTreeSet<u64> = state.manifest.files().collect();
        // Until the state is durable, that before may come back; the next opening deletes what is left.
        if sync_dir(self.dir()).is_ok() {
            let unwanted = tablets.keys().filter(|number| !wanted.contains(number));
            unwanted.for_each(|&number| remove(&path(self.dir(), number)));
        }
        *locked(&self.current) = Cells::assemble(self.dir(), state);
    }
}

/// Deletes files that belong to no state, and those of the format before.
fn tidy(dir: &Path, manifest: &TabletManifest) -> Result<(), StoreError> {
    let wanted: BTreeSet<_> = manifest.files().map(|number| path(dir, number)).collect();
    let entries = fs::read_dir(dir).map_err(|e| StoreError::io(dir, e))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_left = match extension {
            Some("tablet") => !wanted.contains(&path),
            Some("new") => true,
            _ => !path.ends_with(NAME) && is_former(&path),
        };
        if is_left {
            disk::remove_file(&path).map_err(|e| StoreError::io(&path, e))?;
        }
    }
    Ok(())
}

fn is_former(path: &Path) -> bool {
    let mut first = [0; FORMER.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && first == *FORMER
}

/// The state that will be.
struct NextState<'a> {
    numbers: &'a SharedNumbers,
    manifest: TabletManifest,
    /// All open tablets, also those that it no longer names.
    tablets: Tablets,
}

/// Changes by the number of their column.
type Changes = BTreeMap<u64, ColumnChanges>;

impl<'a> NextState<'a> {
    fn new(numbers: &'a SharedNumbers, before: &Cells) -> NextState<'a> {
        let (manifest, tablets) = (before.0.manifest.clone(), before.0.tablets.clone());
        NextState { numbers, manifest, tablets }
    }

    /// Writes the batch, with the tablets it is to be merged with.
    fn apply(&mut self, batch: &mut CellBatch) -> Result<(), StoreError> {
        for (name, mark) in std::mem::take(&mut batch.marks) {
            match mark {
                Some(mark) => self.manifest.marks.insert(name, mark),
                None => self.manifest.marks.remove(&name),
            };
        }
        let weight = batch.weight();
        let changes = self.enter(std::mem::take(&mut batch.columns));
        let live = self.live_bytes();
        self.manifest.tablets.retain(|number| live.get(number).is_some_and(|&bytes| bytes > 0));
        let sizes = self.manifest.tablets.iter().map(|number| live[number]);
        let sizes: Vec<u64> = sizes.chain((!changes.is_empty()).then_some(weight)).collect();
        let stretch = due(&sizes).or_else(|| self.mostly_void(&live));
        let rewritten: u64 = stretch.iter().flat_map(|range| &sizes[range.clone()]).sum();
        crate::space::require(&self.numbers.dir, weight + rewritten)?;
        let count = self.manifest.tablets.len();
        match stretch {
            Some(range) if range.end > count => {
                self.combine(range.start..count, &changes, batch.time)?;
            }
            Some(range) => {
                self.combine(range, &Changes::new(), batch.time)?;
                self.add(&changes, batch.time)?;
            }
            None => self.add(&changes, batch.time)?,
        }
        self.manifest.next = self.numbers.next.load(Ordering::Relaxed);
        Ok(())
    }

    /// Writes changes as the newest tablet.
    fn add(&mut self, changes: &Changes, time: i64) -> Result<(), StoreError> {
        let count = self.manifest.tablets.len();
        self.combine(count..count, changes, time)
    }

    /// Enters the columns of a batch in the manifest and gives their changes by number.
    fn enter(&mut self, columns: BTreeMap<&'static str, ColumnChanges>) -> Changes {
        let mut numbered = Changes::new();
        for (name, mut changes) in columns {
            let declaration = changes.declaration;
            let known = self.manifest.column(declaration).cloned();
            let entry = |number, base| {
                let (version, kind) = (declaration.version, declaration.kind);
                ColumnEntry { version, kind, number, base }
            };
            let entry = match (changes.anew.take(), known) {
                (Some((number, base)), _) => {
                    let file = base.as_ref().map(|tablet| tablet.number);
                    self.tablets.extend(base.map(|tablet| (tablet.number, tablet)));
                    entry(number, file)
                }
                (None, Some(known)) => known,
                (None, None) => entry(self.numbers.take(), None),
            };
            changes.sort();
            if changes.len() > 0 {
                numbered.insert(entry.number, changes);
            }
            self.manifest.columns.insert(name.to_owned(), entry);
        }
        numbered
    }

    /// For each tablet the bytes of sections that are not void.
    fn live_bytes(&self) -> BTreeMap<u64, u64> {
        let columns: BTreeSet<u64> = self.manifest.columns.values().map(|c| c.number).collect();
        let live = |tablet: &Tablet| {
            let records = tablet.records().filter(|record| columns.contains(&record.column));
            records.map(SectionRecord::bytes).sum()
        };
        self.tablets.iter().map(|(&number, tablet)| (number, live(tablet))).collect()
    }

    /// A tablet that is worth writing again for its void sections.
    fn mostly_void(&self, live: &BTreeMap<u64, u64>) -> Option<Range<usize>> {
        let is_wasteful = |number: &u64| {
            let (live, all) = (live.get(number), self.tablets.get(number));
            let (Some(&live), Some(all)) = (live, all) else { return false };
            let void = all.length().saturating_sub(live);
            void > live.max(MUCH_VOID)
        };
        let at = self.manifest.tablets.iter().position(is_wasteful)?;
        Some(at..at + 1)
    }

    /// Makes one tablet of a stretch of tablets and of changes that are newer, and puts it in
    /// their place.
    fn combine(
        &mut self,
        range: Range<usize>,
        changes: &Changes,
        time: i64,
    ) -> Result<(), StoreError> {
        let older: Vec<u64> = self.manifest.tablets[range.clone()].to_vec();
        let merged: Vec<Arc<Tablet>> =
            older.iter().rev().filter_map(|number| self.tablets.get(number).cloned()).collect();
        let mut writer = None;
        let mut columns: Vec<String> = self.manifest.columns.keys().cloned().collect();
        columns.sort_by_key(|name| self.manifest.columns[name].number);
        for name in columns {
            let Some(entry) = self.manifest.columns.get_mut(&name) else { continue };
            let mut inputs = Inputs::new(entry.number, &merged, changes);
            if inputs.cells == 0 {
                continue;
            }
            if range.start == 0
                && let Some(base) = entry.base.and_then(|base| self.tablets.get(&base))
                && inputs.take_base(entry.number, base)
            {
                entry.base = None;
            }
            let is_oldest = range.start == 0 && entry.base.is_none();
            let writer = match &mut writer {
                Some(writer) => writer,
                none => none.insert(TabletWriter::new(&self.numbers.dir, self.numbers.take())?),
            };
            let is_group = entry.kind == ColumnKind::Group;
            let filtered = (!is_oldest).then_some(inputs.cells);
            writer.begin(entry.number, is_group, filtered)?;
            inputs.write(time, is_oldest, writer)?;
        }
        let tablet = writer.map_or(Ok(None), TabletWriter::finish)?;
        let number = tablet.as_ref().map(|tablet| tablet.number);
        self.manifest.tablets.splice(range, number);
        self.tablets.extend(tablet.map(|tablet| (tablet.number, tablet)));
        Ok(())
    }
}

/// The cells of one column that are to become one section.
struct Inputs<'a> {
    changes: Option<&'a ColumnChanges>,
    /// Newest first.
    sections: Vec<ColumnSection>,
    cells: u64,
    bytes: u64,
}

impl<'a> Inputs<'a> {
    /// Those of tablets, which come newest first, and of changes that are newer.
    fn new(column: u64, tablets: &[Arc<Tablet>], changes: &'a Changes) -> Inputs<'a> {
        let changes = changes.get(&column);
        let sections: Vec<_> = tablets.iter().filter_map(|t| t.section(column)).collect();
        let stored = |count: fn(&SectionRecord) -> u64| -> u64 {
            sections.iter().map(|section| count(section.record())).sum()
        };
        let cells = stored(|record| record.cells) + changes.map_or(0, |c| c.len() as u64);
        let bytes = stored(SectionRecord::bytes) + changes.map_or(0, |c| c.bytes() as u64);
        Inputs { changes, sections, cells, bytes }
    }

    /// Takes in the column's base, if as much has been changed since as it holds.
    fn take_base(&mut self, column: u64, base: &Arc<Tablet>) -> bool {
        let section = base.section(column).filter(|section| section.record().bytes() <= self.bytes);
        let Some(section) = section else { return false };
        self.cells += section.record().cells;
        self.sections.push(section);
        true
    }

    /// Writes them; deleted cells are forgotten where nothing older can show them again.
    fn write(
        self,
        time: i64,
        is_oldest: bool,
        writer: &mut TabletWriter,
    ) -> Result<(), StoreError> {
        let changes = self.changes.map(|changes| CellSource::Batch(changes.cursor(time)));
        let mut sources: Vec<CellSource<'_>> = changes.into_iter().collect();
        for section in &self.sections {
            sources.push(CellSource::Section(section.cursor()?));
        }
        let mut merge = CellMerge::new(sources);
        while let Some(cell) = merge.cell() {
            if cell.value.is_some() || !is_oldest {
                writer.push(cell)?;
            }
            merge.advance()?;
        }
        Ok(())
    }
}
