//! How one side of a host stands in this run, and what an answer changes about that. Nothing is asked and nothing
//! written here: what is to be done comes back as a `Consequence`.

use super::refusals::{Refusals, TriedUrl};
use crate::politeness::{Backoff, believed, decay};
use crate::verdict::{HostStanding, Verdict};
use fyke_store::{HostRow, Reason};

/// After so many rounds of different URLs without an answer a host is given up, though its robots.txt comes.
const ROUNDS: u32 = 4;

/// Refusals in a row after which a host is backed off from: it may have had enough.
const MOST_REFUSALS: u32 = 5;

/// By what sides are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct StandingLimits {
    /// Failures in a row after which a side that takes no connection is given up; a round of doubts.
    pub(super) failures: u32,
    pub(super) backoff: Backoff,
}

/// Why a side is given up: the reason its URLs get, and what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Silence {
    pub(super) reason: Reason,
    pub(super) what: String,
}

/// What is to be done with a host after an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Consequence {
    Nothing,
    /// It answered well.
    Praise,
    /// Both of its sides are left alone until then: it asked for that.
    HoldHost(u64),
    /// This side is left alone until then, as its row says.
    HoldSide(u64),
    /// Its robots.txt, which it gave before, tells whether it is there at all.
    CheckOn,
    GiveUp(Silence),
}

/// How one side of a host stands.
#[derive(Debug, Default)]
pub(in crate::crawl) struct SideStanding {
    /// Failures, and why and until when it waits: its row in the ledger.
    pub(super) trouble: HostRow,
    /// Times in a row that it took no connection in this run.
    silent: u32,
    /// Different URLs in a row that failed in this run.
    doubts: u32,
    refusals: Refusals,
    /// It gave an answer in this run, whatever it was.
    has_answered: bool,
    /// Its robots.txt is asked for to see whether it is there at all: why it is given up if it is not.
    checked: Option<Silence>,
}

impl SideStanding {
    /// What an earlier run left of it, and what it held against the whole host. A new run is a new chance: what was
    /// promised binds, the grudge is halved.
    pub(super) fn of_earlier(mut trouble: HostRow, host_failures: u32, now: u64) -> SideStanding {
        trouble.not_before = believed(trouble.not_before, now);
        trouble.failures = decay(trouble.failures.max(host_failures));
        SideStanding { trouble, ..SideStanding::default() }
    }

    /// Draws the consequences of an answer.
    pub(super) fn take(
        &mut self,
        standing: HostStanding,
        limits: &StandingLimits,
        now: u64,
    ) -> Consequence {
        match standing {
            HostStanding::Same => Consequence::Nothing,
            HostStanding::Well => {
                (self.doubts, self.refusals.count) = (0, 0);
                Consequence::Praise
            }
            HostStanding::Held(until) => Consequence::HoldHost(until.max(self.fail(limits, now))),
            HostStanding::Trouble(what) => self.back_off(&what, limits, now),
            HostStanding::Refusing(what) => {
                self.refusals.count += 1;
                match self.refusals.count >= MOST_REFUSALS {
                    true => self.back_off(&what, limits, now),
                    false => Consequence::Nothing,
                }
            }
            HostStanding::Doubtful(what) => match self.doubt(limits) {
                Some(_) => self.back_off(&what, limits, now),
                None => Consequence::Nothing,
            },
            HostStanding::Unanswered(reason, what) => match self.doubt(limits) {
                Some(rounds) if rounds < ROUNDS => {
                    self.checked = Some(Silence { reason, what });
                    Consequence::CheckOn
                }
                Some(_) => Consequence::GiveUp(Silence { reason, what }),
                None => Consequence::Nothing,
            },
            HostStanding::Silent(reason, what) => {
                self.silent += 1;
                if self.silent < limits.failures {
                    return match reason {
                        // It answers; waiting would change nothing.
                        Reason::Credentials => Consequence::Nothing,
                        _ => self.back_off(&what, limits, now),
                    };
                }
                self.trouble.failures += 1;
                Consequence::GiveUp(Silence { reason, what })
            }
        }
    }

    /// Counts a failure; until when the side is backed off from.
    fn fail(&mut self, limits: &StandingLimits, now: u64) -> u64 {
        self.trouble.failures += 1;
        now + limits.backoff.wait(self.trouble.failures)
    }

    fn back_off(&mut self, what: &str, limits: &StandingLimits, now: u64) -> Consequence {
        // The clock counts whole milliseconds: one more is never too early.
        let until = self.fail(limits, now) + 1;
        let not_before = i64::try_from(until).unwrap_or(i64::MAX);
        self.trouble.not_before = self.trouble.not_before.max(not_before);
        self.trouble.waits = format!("back-off: {what}");
        Consequence::HoldSide(until)
    }

    /// Counts one more URL that failed, in a row of different ones; how many rounds are full, if one is now.
    fn doubt(&mut self, limits: &StandingLimits) -> Option<u32> {
        let round = limits.failures.max(1);
        self.doubts += 1;
        self.doubts.is_multiple_of(round).then_some(self.doubts / round)
    }

    /// Takes in what came of a URL; where the side refuses what it gave before, it stands otherwise.
    pub(in crate::crawl) fn mind_refusal(
        &mut self,
        tried: TriedUrl<'_>,
        judged: Verdict,
    ) -> Verdict {
        self.refusals.mind(tried, self.trouble.failures > 0, judged)
    }

    /// It answered: that halves what is held against it. Whether anything was.
    pub(super) fn praise(&mut self) -> bool {
        let had_trouble = self.trouble.failures > 0 || !self.trouble.waits.is_empty();
        self.silent = 0;
        self.trouble.failures = decay(self.trouble.failures);
        self.trouble.waits.clear();
        had_trouble
    }

    /// It gave an answer, whatever it was.
    pub(super) fn note_answer(&mut self) {
        self.has_answered = true;
    }

    /// It gave an answer to the question for its robots.txt, whatever it was.
    pub(in crate::crawl) fn is_there(&mut self) {
        self.checked = None;
    }

    /// It gave none: why it is given up, if that was the question.
    pub(super) fn is_gone(&mut self) -> Option<Silence> {
        self.checked.take()
    }

    /// Whether it answered in this run, but with errors.
    pub(super) fn is_troubled(&self) -> bool {
        self.has_answered && (self.trouble.failures > 0 || self.doubts > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: StandingLimits =
        StandingLimits { failures: 3, backoff: Backoff { base: 100, most: 1000 } };

    /// What comes of each of these in turn.
    fn check(standings: &[HostStanding], expected: &[Consequence]) -> SideStanding {
        let mut side = SideStanding::default();
        let take = |standing: &HostStanding| side.take(standing.clone(), &LIMITS, 5000);
        let consequences: Vec<_> = standings.iter().map(take).collect();
        assert_eq!(consequences, expected, "{standings:?}");
        side
    }

    fn silence(what: &str) -> Silence {
        Silence { reason: Reason::Timeout, what: what.to_owned() }
    }

    #[test]
    fn trouble_doubles_the_wait_and_an_answer_halves_what_is_held_against_a_side() {
        let trouble = HostStanding::Trouble("status 503".to_owned());
        let held = [5101, 5201, 5401].map(Consequence::HoldSide);
        let mut side = check(&[trouble.clone(), trouble.clone(), trouble], &held);
        assert_eq!((side.trouble.failures, side.trouble.not_before), (3, 5401));
        assert_eq!(side.trouble.waits, "back-off: status 503");
        assert!(!side.is_troubled(), "nothing was answered yet");
        side.note_answer();
        assert!(side.is_troubled() && side.praise());
        assert_eq!((side.trouble.failures, &*side.trouble.waits), (1, ""));
        assert!(side.praise() && !side.praise(), "then nothing is left of it");
    }

    #[test]
    fn the_longer_of_what_a_server_asks_for_and_the_back_off_binds_the_host() {
        let held = |until| HostStanding::Held(until);
        let expected = [5100, 9000, 5400].map(Consequence::HoldHost);
        check(&[held(0), held(9000), held(5001)], &expected);
    }

    #[test]
    fn a_side_that_takes_no_connection_is_given_up_after_its_failures_in_a_row() {
        let silent = HostStanding::Silent(Reason::Timeout, "quiet".to_owned());
        let (first, second) = (Consequence::HoldSide(5101), Consequence::HoldSide(5201));
        let given_up = Consequence::GiveUp(silence("quiet"));
        let side =
            check(&[silent.clone(), silent.clone(), silent.clone()], &[first, second, given_up]);
        assert_eq!(side.trouble.failures, 3);
        let mut side = check(std::slice::from_ref(&silent), &[Consequence::HoldSide(5101)]);
        side.praise();
        assert_eq!(side.take(silent, &LIMITS, 5000), Consequence::HoldSide(5101));
    }

    #[test]
    fn refusals_count_only_in_a_row() {
        let refusing = || HostStanding::Refusing("status 403".to_owned());
        let nothing = || Consequence::Nothing;
        let mut refused: Vec<_> = (0..4).map(|_| refusing()).collect();
        refused.extend([HostStanding::Well]);
        refused.extend((0..5).map(|_| refusing()));
        let mut expected: Vec<_> = (0..4).map(|_| nothing()).collect();
        expected.push(Consequence::Praise);
        expected.extend((0..4).map(|_| nothing()));
        expected.push(Consequence::HoldSide(5101));
        check(&refused, &expected);
    }

    #[test]
    fn urls_without_an_answer_have_the_side_checked_by_its_robots_txt_and_end_it_after_four_rounds()
    {
        let unanswered = HostStanding::Unanswered(Reason::Timeout, "quiet".to_owned());
        let mut side = SideStanding::default();
        let mut take = || side.take(unanswered.clone(), &LIMITS, 5000);
        let consequences: Vec<_> = (0..12).map(|_| take()).collect();
        for (at, consequence) in consequences.iter().enumerate() {
            let expected = match at + 1 {
                3 | 6 | 9 => Consequence::CheckOn,
                12 => Consequence::GiveUp(silence("quiet")),
                _ => Consequence::Nothing,
            };
            assert_eq!(*consequence, expected, "{at}");
        }
        assert_eq!(side.is_gone(), Some(silence("quiet")));
        side.take(unanswered.clone(), &LIMITS, 5000);
        side.is_there();
        assert_eq!(side.is_gone(), None);
    }

    #[test]
    fn a_new_run_halves_the_grudge_and_keeps_what_was_promised() {
        let row = HostRow { failures: 3, not_before: 9000, ..HostRow::default() };
        let side = SideStanding::of_earlier(row.clone(), 8, 5000);
        assert_eq!((side.trouble.failures, side.trouble.not_before), (4, 9000));
        let far = HostRow { not_before: i64::MAX, ..row };
        assert_eq!(SideStanding::of_earlier(far, 0, 5000).trouble.not_before, 5000);
    }
}
