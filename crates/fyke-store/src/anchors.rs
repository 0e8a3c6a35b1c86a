//! Anchor texts brought to their targets (the column group `anchor:*` of the BigTable example,
//! 003 §3.6.4), by sorting in pieces that fit in memory: there are many more links than pages.

use crate::StoreError;
use fyke_web::UrlId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes sorted at once.
const PIECE: usize = 32 << 20;
/// Anchors kept of one target: those of the smallest source ids.
const MOST: usize = 1 << 16;

/// A link as it is sorted: target, source, number of the link, anchor text.
type Anchor = (u64, u64, u64, String);

/// The anchors of one target, by source.
pub(crate) type Gathered = (UrlId, Vec<(UrlId, String)>);

/// Sorts links by target.
#[derive(Debug)]
pub(crate) struct Gathering {
    dir: PathBuf,
    piece: Vec<Anchor>,
    bytes: usize,
    links: u64,
    written: Vec<PathBuf>,
}

impl Gathering {
    /// Pieces are kept in `dir` meanwhile.
    pub(crate) fn new(dir: &Path) -> Result<Gathering, StoreError> {
        fs::create_dir_all(dir).map_err(|e| StoreError::io(dir, e))?;
        let (piece, written) = (Vec::new(), Vec::new());
        Ok(Gathering { dir: dir.to_owned(), piece, bytes: 0, links: 0, written })
    }

    pub(crate) fn push(
        &mut self,
        target: UrlId,
        source: UrlId,
        anchor: String,
    ) -> Result<(), StoreError> {
        self.bytes += anchor.len() + size_of::<Anchor>();
        self.piece.push((target.0, source.0, self.links, anchor));
        self.links += 1;
        if self.bytes >= PIECE { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), StoreError> {
        let path = self.dir.join(format!("anchor.{}.new", self.written.len()));
        self.piece.sort_unstable();
        self.written.push(path.clone());
        let mut write = || {
            let mut out = BufWriter::new(File::create(&path)?);
            for (target, source, number, anchor) in self.piece.drain(..) {
                for word in [target, source, number, anchor.len() as u64] {
                    out.write_all(&word.to_le_bytes())?;
                }
                out.write_all(anchor.as_bytes())?;
            }
            out.flush()
        };
        self.bytes = 0;
        write().map_err(|e: io::Error| StoreError::io(&path, e))
    }

    /// All targets with their anchors, by target. Of several links from one page to one target the
    /// first counts.
    pub(crate) fn finish(
        mut self,
    ) -> Result<impl Iterator<Item = Result<Gathered, StoreError>>, StoreError> {
        self.write()?;
        let mut sources = Vec::new();
        for path in &self.written {
            let file = File::open(path).map_err(|e| StoreError::io(path, e))?;
            sources.push(BufReader::with_capacity(256 * 1024, file));
        }
        let mut merge = Merge { sources, heap: BinaryHeap::new(), gathering: self };
        for at in 0..merge.sources.len() {
            merge.refill(at)?;
        }
        Ok(std::iter::from_fn(move || merge.target().transpose()))
    }
}

impl Drop for Gathering {
    fn drop(&mut self) {
        for path in &self.written {
            if let Err(error) = fs::remove_file(path) {
                tracing::warn!(%error, path = %path.display(), "a sorted piece is left behind");
            }
        }
    }
}

/// The pieces as one sequence.
struct Merge {
    sources: Vec<BufReader<File>>,
    heap: BinaryHeap<Reverse<(Anchor, usize)>>,
    gathering: Gathering,
}

impl Merge {
    fn refill(&mut self, at: usize) -> Result<(), StoreError> {
        let next = read(&mut self.sources[at]);
        let next = next.map_err(|e| StoreError::io(&self.gathering.written[at], e))?;
        self.heap.extend(next.map(|anchor| Reverse((anchor, at))));
        Ok(())
    }

    /// The next target.
    fn target(&mut self) -> Result<Option<Gathered>, StoreError> {
        let Some(Reverse(((target, ..), _))) = self.heap.peek() else { return Ok(None) };
        let target = *target;
        let mut anchors: Vec<(UrlId, String)> = Vec::new();
        while self.heap.peek().is_some_and(|Reverse(((next, ..), _))| *next == target) {
            let Some(Reverse(((_, source, _, anchor), at))) = self.heap.pop() else { break };
            let is_first = anchors.last().is_none_or(|(last, _)| last.0 != source);
            if is_first && anchors.len() < MOST {
                anchors.push((UrlId(source), anchor));
            }
            self.refill(at)?;
        }
        Ok(Some((UrlId(target), anchors)))
    }
}

fn read(source: &mut BufReader<File>) -> io::Result<Option<Anchor>> {
    let mut head = [0; 32];
    match source.read_exact(&mut head) {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    let mut anchor = String::new();
    source.take(word(24)).read_to_string(&mut anchor)?;
    Ok(Some((word(0), word(8), word(16), anchor)))
}
