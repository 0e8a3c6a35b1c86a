//! Documents and links: derived, deleted and made again (D3).
//!
//! `documents/log/` holds a record for each document with its links, compressed apart, and a mark
//! after each batch: up to which capture documents have been made. `documents/index/` is a sieve, id
//! → position of the latest record. What stands after the last mark is cut off at opening.

use crate::StoreError;
use crate::disk;
use crate::log::{Log, Position, Replayed};
use crate::reader::FolderId;
use crate::sieve::manifest::replace;
use crate::sieve::{Sieve, SieveOptions};
use crate::tail::{Rest, Spot, locked, sync_dir};
use fyke_web::{Document, LinkKind, UrlId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A link as stored with its source.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "LinkRecord")]
pub struct StoredLink {
    pub target: UrlId,
    pub anchor: String,
    pub nofollow: bool,
    pub kind: LinkKind,
    /// It leads to the next page of a list.
    pub is_next: bool,
}

/// A link as it stands on disk. Of its marks the lowest bit says nofollow, as it always did, the next one that it
/// leads to the next page, and the third that a reader set it.
#[derive(Deserialize)]
struct LinkRecord {
    target: UrlId,
    anchor: String,
    marks: u8,
}

impl From<LinkRecord> for StoredLink {
    fn from(LinkRecord { target, anchor, marks }: LinkRecord) -> StoredLink {
        let kind = if marks & 4 != 0 { LinkKind::Comment } else { LinkKind::Content };
        StoredLink { target, anchor, nofollow: marks & 1 != 0, kind, is_next: marks & 2 != 0 }
    }
}

impl Serialize for StoredLink {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_comment = self.kind == LinkKind::Comment;
        let marks =
            u8::from(self.nofollow) | u8::from(self.is_next) << 1 | u8::from(is_comment) << 2;
        (self.target, &self.anchor, marks).serialize(serializer)
    }
}

impl StoredLink {
    /// Whether the page's author speaks for the target: then it passes rank and anchor text.
    #[must_use]
    pub fn vouches(&self) -> bool {
        !self.nofollow && self.kind == LinkKind::Content
    }
}

/// The documents folder, as it is read.
#[derive(Debug)]
pub struct DocumentsView {
    root: PathBuf,
    log: Log,
    index: Sieve,
    standing: Mutex<WriterOrder>,
    /// What stood on disk when it was opened.
    opened: Option<OnDisk>,
}

/// The same, as its one writer has it.
#[derive(Debug)]
pub struct Documents {
    view: Arc<DocumentsView>,
}

impl Deref for Documents {
    type Target = DocumentsView;

    fn deref(&self) -> &DocumentsView {
        &self.view
    }
}

/// What was made of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct MadePage {
    pub id: UrlId,
    /// None where its capture gave no document: a former one is deleted.
    pub document: Option<Document>,
    pub links: Vec<StoredLink>,
}

impl MadePage {
    #[must_use]
    pub fn new(id: UrlId, document: Option<Document>, links: Vec<StoredLink>) -> MadePage {
        MadePage { id, document, links }
    }
}

/// Its lock orders the writers.
#[derive(Debug)]
struct WriterOrder {
    /// Up to which capture documents have been made.
    mark: Spot,
    /// The mark up to which the index holds the log, or will.
    covered: Position,
}

/// First byte of a record: a document with its links, or a mark. Never renumbered.
const DOCUMENT: u8 = 1;
const MARK: u8 = 2;
/// Another number stands for another `Document` or another way to encode it.
const VERSION: &str = "7\n";

impl Documents {
    /// Opens `documents/` in the collection's folder, making it where there is none.
    ///
    /// # Errors
    /// When it cannot be read or written (so all of these).
    pub fn open(root: &Path) -> Result<Documents, StoreError> {
        let dir = root.join("documents");
        let folder = dir.join("log");
        check_version(&dir, &folder)?;
        let mut log = Log::open(&folder)?;
        let open_index = || Sieve::open(&dir.join("index"), SieveOptions::default());
        let mut index = open_index()?;
        let from = covered(&index);
        log.renew(from, from)?;
        let (mut replayed, mut mark) = replay(&log, &index, from)?;
        if let Some(damage) = replayed.damage.first() {
            // Puts are not synced: a power cut may tear any of them. What stands before is good.
            let error = &damage.error;
            tracing::warn!(%error, "the documents from there on are made again");
            log = log.cut(&folder, Position(damage.bytes.start), Rest::Cut)?;
            index = open_index()?;
            (replayed, mark) = replay(&log, &index, from)?;
        }
        if replayed.end.is_none() && from > Log::start() {
            return Err(StoreError::damaged(&folder, "it has lost its end"));
        }
        let log = log.cut(&folder, replayed.end.unwrap_or(Log::start()), Rest::Cut)?;
        // The folders just made must not go with the next power cut.
        sync_dir(&dir)?;
        let standing = Mutex::new(WriterOrder { mark, covered: from });
        let opened = None;
        let view = DocumentsView { root: root.to_owned(), log, index, standing, opened };
        Ok(Documents { view: Arc::new(view) })
    }

    /// What can be read of it.
    pub(crate) fn view(&self) -> Arc<DocumentsView> {
        Arc::clone(&self.view)
    }

    /// Ends the work behind it; what is open stays readable.
    pub(crate) fn close(&self) {
        self.index.close();
    }

    /// Deletes the folder, moved away first: half of it is never opened.
    pub(crate) fn remove(root: &Path) -> Result<(), StoreError> {
        let (dir, old) = (root.join("documents"), root.join("documents.old"));
        for step in [disk::remove_dir(&old), disk::rename(&dir, &old), disk::remove_dir(&old)] {
            match step {
                Err(e) if e.kind() != ErrorKind::NotFound => return Err(StoreError::io(&dir, e)),
                _ => {}
            }
        }
        sync_dir(root)
    }
}

impl DocumentsView {
    /// Opens the folder as it stands now, to be read beside its writer. What another version made is as
    /// if it were not there.
    pub(crate) fn open_to_read(root: &Path) -> Result<DocumentsView, StoreError> {
        let dir = root.join("documents");
        let opened = opened(&dir)?;
        let is_ours = fs::read_to_string(dir.join("version")).is_ok_and(|text| text == VERSION);
        let index = match is_ours {
            true => Sieve::open_to_read(&dir.join("index"))?,
            false => Sieve::empty(&dir.join("index")),
        };
        let from = covered(&index);
        let log = Log::open_to_read(&dir.join("log"), (!is_ours).then(Log::start))?;
        let (replayed, mark) = replay(&log, &index, from)?;
        let log = log.up_to(replayed.end.unwrap_or(from));
        let standing = Mutex::new(WriterOrder { mark, covered: from });
        Ok(DocumentsView { root: root.to_owned(), log, index, standing, opened })
    }

    /// The state on disk now, if it is another than this one.
    pub(crate) fn newer(&self) -> Result<Option<DocumentsView>, StoreError> {
        if opened(&self.root.join("documents"))? == self.opened {
            return Ok(None);
        }
        DocumentsView::open_to_read(&self.root).map(Some)
    }

    /// Up to which capture documents have been made.
    pub fn mark(&self) -> Result<Spot, StoreError> {
        Ok(locked(&self.standing).mark)
    }
}

impl Documents {
    /// Puts what was made of pages and moves the mark, all of it or nothing. Of two entries of one URL the later stands.
    /// It outlives this process; a power cut may take back what was put last.
    pub fn put(&self, batch: &[MadePage], mark: Spot) -> Result<(), StoreError> {
        let last: BTreeMap<UrlId, _> = batch.iter().map(|page| (page.id, page)).collect();
        let mut standing = locked(&self.standing);
        let mut positions = Vec::with_capacity(last.len());
        // One at a time: a copy of all of them would be as large as they are.
        for page in last.into_values() {
            positions.push((page.id.0, self.log.append(&encode(page))?.0));
        }
        let position = self.log.append(&encode_mark(mark))?;
        self.log.write()?;
        positions.into_iter().for_each(|(id, position)| self.index.set(id, position));
        standing.mark = mark;
        if self.index.is_full() || self.log.is_far_from(standing.covered) {
            self.freeze(&mut standing, position)?;
        }
        Ok(())
    }

    /// Hands the index in memory to the disk, once the log it speaks of is there.
    fn freeze(&self, standing: &mut WriterOrder, mark: Position) -> Result<(), StoreError> {
        self.log.sync()?;
        standing.covered = mark;
        self.index.make_room()?;
        self.index.freeze(mark.0.to_le_bytes().to_vec());
        self.index.release();
        Ok(())
    }

    /// Settles what was put, so that the next opening is quick.
    pub(crate) fn settle(&self) -> Result<(), StoreError> {
        if !self.index.is_settled() {
            let mut standing = locked(&self.standing);
            let position = self.log.append(&encode_mark(standing.mark))?;
            self.freeze(&mut standing, position)?;
        }
        self.index.flush()
    }
}

impl DocumentsView {
    /// One document.
    pub fn get(&self, id: UrlId) -> Result<Option<Document>, StoreError> {
        let found = self.index.get(id.0)?;
        found.map_or(Ok(None), |position| self.document(Position(position)))
    }

    /// All documents, by id.
    pub fn all(&self) -> impl Iterator<Item = Result<Document, StoreError>> {
        self.index.entries().filter_map(|entry| {
            let found = entry.and_then(|(_, position)| self.document(Position(position)));
            found.transpose()
        })
    }

    /// The ids of all documents, in order.
    pub fn ids(&self) -> impl Iterator<Item = Result<UrlId, StoreError>> {
        self.index.entries().filter_map(|entry| {
            let found = entry.and_then(|(id, position)| {
                let payload = self.payload(Position(position))?;
                let parts = parts(&payload).ok_or_else(|| self.damaged(Position(position)))?;
                Ok((!parts.0.is_empty()).then_some(UrlId(id)))
            });
            found.transpose()
        })
    }

    /// Links out of every page that was read, by id; pages that are no documents among them.
    pub fn all_links(&self) -> impl Iterator<Item = Result<(UrlId, Vec<StoredLink>), StoreError>> {
        self.index.entries().map(|entry| {
            let (id, position) = entry?;
            Ok((UrlId(id), self.links_at(Position(position))?))
        })
    }

    /// Links out of a document.
    pub fn links(&self, id: UrlId) -> Result<Vec<StoredLink>, StoreError> {
        let found = self.index.get(id.0)?;
        found.map_or(Ok(Vec::new()), |position| self.links_at(Position(position)))
    }

    /// What stands in the log. Documents are derived: after damage the next opening makes them again.
    fn payload(&self, position: Position) -> Result<Vec<u8>, StoreError> {
        self.log.read(position).map_err(|error| match error {
            StoreError::Damaged { .. } => self.damaged(position),
            error => error,
        })
    }

    fn document(&self, position: Position) -> Result<Option<Document>, StoreError> {
        let payload = self.payload(position)?;
        let parts = parts(&payload).ok_or_else(|| self.damaged(position))?;
        unpack(parts.0).ok_or_else(|| self.damaged(position))
    }

    fn links_at(&self, position: Position) -> Result<Vec<StoredLink>, StoreError> {
        let payload = self.payload(position)?;
        let parts = parts(&payload).ok_or_else(|| self.damaged(position))?;
        let links: Option<Option<Vec<StoredLink>>> = unpack(parts.1);
        Ok(links.ok_or_else(|| self.damaged(position))?.unwrap_or_default())
    }

    fn damaged(&self, position: Position) -> StoreError {
        self.index.distrust();
        let Spot { file, offset } = position.spot();
        let what = format!(
            "log {file:05}, record at byte {offset}; run the command again: the documents are made \
             again then"
        );
        StoreError::damaged(&self.root.join("documents"), what)
    }
}

/// Which folder this is, and how long its log.
type OnDisk = (FolderId, Spot);

/// What stands on disk; none where there is no folder.
fn opened(dir: &Path) -> Result<Option<OnDisk>, StoreError> {
    let Some(folder) = FolderId::of(dir) else { return Ok(None) };
    Ok(Some((folder, Log::on_disk(&dir.join("log"))?)))
}

/// The mark up to which the index holds the log on disk.
fn covered(index: &Sieve) -> Position {
    let note = <[u8; 8]>::try_from(index.note()).ok();
    note.map_or(Log::start(), |note| Position(u64::from_le_bytes(note)))
}

/// Puts the log from a mark on into the index's memory; gives the last mark, too.
fn replay(log: &Log, index: &Sieve, from: Position) -> Result<(Replayed, Spot), StoreError> {
    let (noted, mark) = (RefCell::new(Vec::new()), RefCell::new(Spot::START));
    let replayed = log.replay(
        from,
        Position(0),
        |position, payload| note(&mut noted.borrow_mut(), position, payload),
        |until| {
            *mark.borrow_mut() = apply(index, &mut noted.borrow_mut(), until);
            Ok(())
        },
    )?;
    Ok((replayed, mark.into_inner()))
}

/// Documents that another version made cannot be read, and are made again.
fn check_version(dir: &Path, log: &Path) -> Result<(), StoreError> {
    let path = dir.join("version");
    match fs::read_to_string(&path) {
        Ok(version) if version == VERSION => Ok(()),
        Err(e) if e.kind() == ErrorKind::NotFound && !log.exists() => {
            disk::create_dir(dir).map_err(|e| StoreError::io(dir, e))?;
            replace(&path, VERSION.as_bytes())
        }
        Err(e) if e.kind() != ErrorKind::NotFound => Err(StoreError::io(&path, e)),
        _ => Err(StoreError::damaged(dir, "another version of fyke made them")),
    }
}

/// What replaying keeps of a record until the mark behind it is read.
struct NotedRecord {
    /// Of the document; 0 of a mark.
    id: u64,
    position: Position,
    /// Where a mark stands; the start for a document.
    mark: Spot,
}

/// Notes a record while replaying; says whether it is a mark.
fn note(noted: &mut Vec<NotedRecord>, position: Position, payload: &[u8]) -> bool {
    match payload.split_first() {
        Some((&DOCUMENT, rest)) => {
            let id = rest.first_chunk::<8>().map_or(0, |id| u64::from_le_bytes(*id));
            noted.push(NotedRecord { id, position, mark: Spot::START });
            false
        }
        Some((&MARK, rest)) => match postcard::from_bytes(rest) {
            Ok(mark) => {
                noted.push(NotedRecord { id: 0, position, mark });
                true
            }
            Err(_) => false,
        },
        _ => false,
    }
}

/// Puts what was noted up to a mark into the index; gives the mark.
fn apply(index: &Sieve, noted: &mut Vec<NotedRecord>, until: Position) -> Spot {
    let mut mark = Spot::START;
    for record in noted.extract_if(.., |record| record.position <= until) {
        if record.position == until {
            mark = record.mark;
        } else {
            index.set(record.id, record.position.0);
        }
    }
    mark
}

fn encode(MadePage { id, document, links }: &MadePage) -> Vec<u8> {
    let document = document.as_ref().map_or(Vec::new(), pack);
    let links = if links.is_empty() { Vec::new() } else { pack(links) };
    let length = (document.len() as u32).to_le_bytes();
    [&[DOCUMENT][..], &id.0.to_le_bytes(), &length, &document, &links].concat()
}

fn encode_mark(mark: Spot) -> Vec<u8> {
    postcard::to_extend(&mark, vec![MARK]).expect("plain values always encode")
}

fn pack<T: Serialize>(value: &T) -> Vec<u8> {
    let plain = postcard::to_stdvec(value).expect("plain values always encode");
    lz4_flex::block::compress_prepend_size(&plain)
}

/// A packed value; nothing inside when nothing was packed, nothing at all when it is damaged.
#[allow(clippy::option_option, reason = "absent and damaged are two things")]
fn unpack<T: DeserializeOwned>(packed: &[u8]) -> Option<Option<T>> {
    if packed.is_empty() {
        return Some(None);
    }
    let plain = lz4_flex::block::decompress_size_prepended(packed).ok()?;
    postcard::from_bytes(&plain).ok().map(Some)
}

/// The packed document and the packed links of a record.
fn parts(payload: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = payload.strip_prefix(&[DOCUMENT])?.get(8..)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}
