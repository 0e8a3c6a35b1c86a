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

/// Small items that are handed over together: one by one, the handing over would cost more than the work.
const BATCH: usize = 64;

/// As [`in_order`], for items that take little work each.
///
/// # Errors
/// Whatever `take` gives.
pub(super) fn in_order_batched<T: Send, R: Send, E>(
    mut items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let batches = std::iter::from_fn(move || {
        let batch: Vec<T> = items.by_ref().take(BATCH).collect();
        (!batch.is_empty()).then_some(batch)
    });
    let work = |batch: Vec<T>| batch.into_iter().map(&work).collect::<Vec<R>>();
    in_order(batches, threads, work, |answers| answers.into_iter().try_for_each(&mut take))
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
    fn answers_of_batches_come_one_by_one_and_in_order() {
        for count in [0, 1, 64, 1_000] {
            let mut got = Vec::new();
            let take = |n: usize| {
                got.push(n);
                if n == 900 { Err(n) } else { Ok(()) }
            };
            let done = in_order_batched(0..count, 3, |n| n, take);
            assert_eq!(done, if count > 900 { Err(900) } else { Ok(()) });
            assert_eq!(got, (0..count.min(901)).collect::<Vec<_>>());
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
