//! Work on all cores with the answers in order: a bounded number of inputs is under way, so memory
//! does not grow with their number, and a slow one holds up the output but not for ever the work.

use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};

/// Inputs under way for each thread.
const AHEAD: usize = 8;

/// Does `work` on every item on so many threads, and hands the answers to `take` in the order of the
/// items. Ends at the first error of `take`.
///
/// # Errors
/// Whatever `take` gives.
pub(super) fn in_order<T: Send, R: Send, E>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    let (tickets, used) = sync_channel::<()>(threads * AHEAD);
    let (feed, fed) = sync_channel(threads);
    let (give, given) = sync_channel(threads);
    // Only the threads hold it, so that with them it goes, and the feeding ends.
    let fed = Arc::new(Mutex::new(fed));
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for item in items.enumerate() {
                if tickets.send(()).is_err() || feed.send(item).is_err() {
                    return;
                }
            }
        });
        for _ in 0..threads {
            let (give, fed, work) = (give.clone(), fed.clone(), &work);
            scope.spawn(move || {
                loop {
                    let next = fed.lock().map(|fed| fed.recv());
                    let Ok(Ok((number, item))) = next else { return };
                    if give.send((number, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop((give, fed));
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        // Both ends go when this returns, so that the threads do too.
        let (given, used) = (given, used);
        for (number, answer) in &given {
            waiting.insert(number, answer);
            while let Some(answer) = waiting.remove(&next) {
                take(answer)?;
                next += 1;
                let _ = used.recv();
            }
        }
        Ok(())
    })
}

/// The threads to use when none are named: one a core.
#[must_use]
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order_whatever_the_number_of_threads() {
        for threads in [1, 2, 7] {
            let mut got = Vec::new();
            let done: Result<(), ()> = in_order(
                0..1_000,
                threads,
                |n: u32| n * 2,
                |n| {
                    got.push(n);
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert_eq!(got, (0..1_000).map(|n| n * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_the_work_even_without_end_of_items() {
        let mut left = 100;
        let done = in_order(
            0_u64..,
            3,
            |n| n,
            |n| {
                left -= 1;
                if left == 0 { Err(n) } else { Ok(()) }
            },
        );
        assert_eq!(done, Err(99));
    }
}
