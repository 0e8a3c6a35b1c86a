//! Work grows as a page does: hostile files of every format, read whole and refined, in two sizes. Four times the
//! bytes may take some more than four times the work, and not sixteen times as much.
//!
//! Work is the CPU time of this thread, since readers whose work is not counted have nothing else to tell; a file
//! that seems to grow too fast is read again, as it may have been the machine.

use crate::{capture, hostile};
use fyke_formats::{parse, skim_with_fingerprint};
use fyke_web::refine;

const SMALL: usize = 40_000;
const TIMES: u64 = 4;
/// Of the work expected, and beside it in milliseconds: less cannot be told from noise.
const MOST_TIMES: u64 = 2;
const NOISE: u64 = 40;
const TRIES: usize = 4;

/// Milliseconds that this thread has worked.
fn worked() -> u64 {
    let told =
        std::fs::read_to_string("/proc/thread-self/schedstat").expect("the time of a thread");
    told.split(' ').next().and_then(|number| number.parse::<u64>().ok()).expect("a number")
        / 1_000_000
}

/// What reading a file takes, in every way that a stage reads it.
fn work(file: &hostile::Hostile) -> u64 {
    let row = fyke_formats::FORMATS.iter().find(|row| row.name == file.format).expect("a format");
    let extension = row.extensions[0];
    let capture = capture(&format!("http://a.test/x.{extension}"), &file.bytes);
    let before = worked();
    let page = parse(&capture);
    let _ = refine(&capture, &page);
    let _ = skim_with_fingerprint(&capture);
    worked() - before
}

#[test]
fn no_file_takes_more_work_than_its_size_accounts_for() {
    let (small, large) = (hostile::all(SMALL), hostile::all(SMALL * TIMES as usize));
    for (small, large) in small.iter().zip(&large) {
        let tries = std::iter::repeat_with(|| (work(small), work(large))).take(TRIES);
        let too_fast = |(few, many): &(u64, u64)| *many > MOST_TIMES * TIMES * few + NOISE;
        let found: Vec<_> = tries.take_while(too_fast).collect();
        let (format, what) = (small.format, &small.what);
        assert!(found.len() < TRIES, "{format} {what}, milliseconds of small and large: {found:?}");
    }
}
