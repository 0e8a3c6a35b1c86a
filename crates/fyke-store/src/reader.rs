//! Reading a collection: what can be read of it, by its writer or by readers beside the writer, in other
//! processes. A reader sees one state, never writes, takes no lock and needs no permission to write; it
//! outlives whatever becomes of the writer.
//!
//! What is derived is opened before what it is derived from: cells, then documents, then the ledger and
//! the captures, so that all that the former speak of stands in the latter.

use crate::captures::CapturesView;
use crate::cells::{Cells, CellsWriter};
use crate::documents::DocumentsView;
use crate::ledger::LedgerView;
use crate::tail::locked;
use crate::{StoreError, rebuild};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What can be read of a collection.
#[derive(Clone, Debug)]
pub struct View {
    pub captures: Arc<CapturesView>,
    pub ledger: Arc<LedgerView>,
    pub documents: Arc<DocumentsView>,
    pub(crate) cells: CellsNow,
    pub(crate) root: PathBuf,
    /// Where documents, columns and index lie: the same folder, or that of a rebuild.
    pub(crate) derived: PathBuf,
}

/// Which cells a view shows.
#[derive(Clone, Debug)]
pub(crate) enum CellsNow {
    /// A reader's: those it was opened with.
    Fixed(Cells),
    /// The writer's own: those published last.
    Latest(Arc<CellsWriter>),
}

impl View {
    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folder of the full-text index.
    #[must_use]
    pub fn index_dir(&self) -> PathBuf {
        index_dir(&self.derived)
    }

    /// Derived facts: of a reader those it was opened with, of the writer those published last.
    #[must_use]
    pub fn cells(&self) -> Cells {
        match &self.cells {
            CellsNow::Fixed(cells) => cells.clone(),
            CellsNow::Latest(writer) => writer.cells(),
        }
    }

    /// Whether something was ever asked for with credentials: see [`crate::Collection::expect_private`]. Where that
    /// cannot be found out, it is taken to be so.
    #[must_use]
    pub fn may_have_private(&self) -> bool {
        private_mark(&self.root).try_exists().unwrap_or(true)
    }

    fn open(root: &Path) -> Result<View, StoreError> {
        rebuild::wait_for_swap(root);
        let cells = Cells::open_reader(&root.join("columns"))?;
        let documents = Arc::new(DocumentsView::open_to_read(root)?);
        let ledger = LedgerView::open_to_read(&root.join("ledger"))?;
        Ok(View::of(root, cells, documents, Arc::new(ledger)))
    }

    fn of(
        root: &Path,
        cells: Cells,
        documents: Arc<DocumentsView>,
        ledger: Arc<LedgerView>,
    ) -> View {
        let captures = CapturesView::open_to_read(&root.join("captures"), ledger.end());
        let (captures, cells) = (Arc::new(captures), CellsNow::Fixed(cells));
        let (root, derived) = (root.to_owned(), root.to_owned());
        View { captures, ledger, documents, cells, root, derived }
    }

    /// The state that stands now, if it is another than this one.
    fn newer(&self) -> Result<Option<View>, StoreError> {
        let root = &self.root;
        rebuild::wait_for_swap(root);
        let before = self.cells();
        let cells = before.newer()?;
        let documents = self.documents.newer()?;
        let ledger = self.ledger.newer(&root.join("ledger"))?;
        if cells.is_none() && documents.is_none() && ledger.is_none() {
            return Ok(None);
        }
        let documents = documents.map_or_else(|| Arc::clone(&self.documents), Arc::new);
        let ledger = ledger.map_or_else(|| Arc::clone(&self.ledger), Arc::new);
        Ok(Some(View::of(root, cells.unwrap_or(before), documents, ledger)))
    }
}

/// The file that says that something may be private.
pub(crate) fn private_mark(root: &Path) -> PathBuf {
    root.join("ledger").join("private")
}

/// Folder of the full-text index (derived) of the collection at `root`.
#[must_use]
pub fn index_dir(root: &Path) -> PathBuf {
    root.join("index")
}

/// Which folder stands under a name: another one may take its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FolderId(u64, u64);

impl FolderId {
    pub(crate) fn of(dir: &Path) -> Option<FolderId> {
        let meta = std::fs::metadata(dir).ok()?;
        Some(FolderId(meta.dev(), meta.ino()))
    }
}

/// A reader of a collection: the state it saw last.
#[derive(Debug)]
pub struct Reader {
    current: Mutex<Arc<View>>,
}

impl Reader {
    /// Opens the collection at `root` (a folder with fyke.toml) as it stands now.
    ///
    /// # Errors
    /// `Missing`, and when it cannot be read.
    pub fn open(root: &Path) -> Result<Reader, StoreError> {
        if !root.join("fyke.toml").exists() {
            return Err(StoreError::Missing(root.into()));
        }
        Ok(Reader { current: Mutex::new(Arc::new(View::open(root)?)) })
    }

    /// The state it saw last: it stays as it is for as long as it is held.
    #[must_use]
    pub fn view(&self) -> Arc<View> {
        Arc::clone(&locked(&self.current))
    }

    /// Looks for a newer state; says whether there was one. Costs what was written since.
    ///
    /// # Errors
    /// When it cannot be read; the state before stays then.
    pub fn refresh(&self) -> Result<bool, StoreError> {
        let newer = self.view().newer()?;
        let is_new = newer.is_some();
        if let Some(view) = newer {
            *locked(&self.current) = Arc::new(view);
        }
        Ok(is_new)
    }
}
