//! A gzip bomb: about a megabyte on the wire, more than a gigabyte when inflated.

use super::{Hazard, PLAIN, prose};
use crate::{Answer, AnswerKind, Body};
use flate2::{Compress, Compression, Crc, FlushCompress, write::GzEncoder};
use std::io::Write as _;
use std::sync::LazyLock;

pub const ROW: Hazard = Hazard {
    name: "gzip-bomb",
    hosts: &["bomb.test"],
    what: "/bomb is gzip of 1.1 GB of blanks, /small is honest gzip. A good crawler inflates \
           /small, and stops inflating /bomb at its size limit without holding it.",
    answer: |pond, ask| {
        let pages = [("/small", "A small parcel"), ("/bomb", "A large parcel")];
        let answer = prose::small_host(pond, ask, "Parcels", &pages)?;
        match (ask.path, answer) {
            ("/small", Answer { body: Body::Bytes(page), headers, .. }) => {
                Some(zipped(gzip(&page), headers, AnswerKind::Page))
            }
            ("/bomb", answer) => Some(zipped(BOMB.clone(), answer.headers, AnswerKind::Other)),
            (_, answer) => Some(answer),
        }
    },
    links: &[("http://bomb.test/", "Parcels")],
    ..PLAIN
};

fn zipped(bytes: Vec<u8>, mut headers: Vec<(&'static str, String)>, kind: AnswerKind) -> Answer {
    headers.push(("content-encoding", "gzip".into()));
    Answer { status: 200, headers, body: Body::Bytes(bytes), kind }
}

/// One gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("writing to memory does not fail")
}

const PIECE: usize = 1 << 20;
const PIECES: usize = 1100;

/// Made once. A fully flushed piece of a deflate stream refers to nothing before it, so one
/// megabyte is deflated and its bytes repeated; checksums are combined likewise.
static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let blanks = vec![b' '; PIECE];
    let mut piece = Vec::with_capacity(PIECE / 64);
    let mut deflate = Compress::new(Compression::best(), false);
    let done = deflate.compress_vec(&blanks, &mut piece, FlushCompress::Full);
    done.expect("blanks deflate into a 64th of their size");
    let mut one = Crc::new();
    one.update(&blanks);
    let mut all = Crc::new();
    let mut bomb = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
    for _ in 0..PIECES {
        bomb.extend_from_slice(&piece);
        all.combine(&one);
    }
    bomb.extend_from_slice(&[3, 0]); // an empty last block
    bomb.extend_from_slice(&all.sum().to_le_bytes());
    bomb.extend_from_slice(&all.amount().to_le_bytes());
    bomb
});
