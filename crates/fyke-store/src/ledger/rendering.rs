//! What is known of the rendering of a page: why its scripts were run, and what came of that.

/// Why a page's scripts are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderCause {
    /// Its source has little text, but scripts.
    Scripted,
    /// Its host is named in the settings.
    Named,
}

/// What came of it. The numbers are written to disk: never renumber, only append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderEnd {
    /// The page came to rest.
    Settled,
    /// Its time was up, and it is kept as it stood.
    TimeUp,
    /// The renderer could not be reached.
    Absent,
    /// It was there, and gave no answer in time.
    Silent,
    /// It went away meanwhile.
    Gone,
    /// It answered with what is no answer.
    Nonsense,
    /// It sent more than may come of one page.
    Flood,
    /// It said that it cannot show the page.
    Refused,
    /// The page held it up: its scripts gave no way to look at it.
    Stuck,
}

/// One rendering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rendering {
    pub cause: RenderCause,
    pub end: RenderEnd,
    /// Requests of its scripts that were asked for, and those that were not.
    pub asked: u16,
    pub refused: u16,
}

impl RenderCause {
    const ALL: [RenderCause; 2] = [RenderCause::Scripted, RenderCause::Named];

    /// In words, behind "because".
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            RenderCause::Scripted => "its source has little text, but scripts",
            RenderCause::Named => "its host is named in fetch.render_hosts",
        }
    }
}

impl RenderEnd {
    const ALL: [RenderEnd; 9] = [
        RenderEnd::Settled,
        RenderEnd::TimeUp,
        RenderEnd::Absent,
        RenderEnd::Silent,
        RenderEnd::Gone,
        RenderEnd::Nonsense,
        RenderEnd::Flood,
        RenderEnd::Refused,
        RenderEnd::Stuck,
    ];

    /// Whether there is a rendered copy.
    #[must_use]
    pub fn has_copy(self) -> bool {
        matches!(self, RenderEnd::Settled | RenderEnd::TimeUp)
    }

    /// What happened, in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            RenderEnd::Settled => "rendered",
            RenderEnd::TimeUp => "rendered as far as fetch.render_time allowed",
            RenderEnd::Absent => "not rendered: the renderer cannot be reached",
            RenderEnd::Silent => "not rendered: the renderer gave no answer in time",
            RenderEnd::Gone => "not rendered: the renderer went away",
            RenderEnd::Nonsense => "not rendered: the renderer sent what is no answer",
            RenderEnd::Flood => "not rendered: the renderer sent more than one page may take",
            RenderEnd::Refused => "not rendered: the renderer cannot show it",
            RenderEnd::Stuck => "not rendered: its scripts gave no way to look at it",
        }
    }
}

impl Rendering {
    /// All of it in words.
    #[must_use]
    pub fn tell(self) -> String {
        let Rendering { cause, end, asked, refused } = self;
        let copy = if end.has_copy() { "" } else { "; its source stands for it" };
        let (end, cause) = (end.words(), cause.words());
        format!("{end}, because {cause}; {asked} requests of its scripts, {refused} refused{copy}")
    }

    /// As it stands on disk.
    pub(in crate::ledger) fn number(self) -> u64 {
        let Rendering { cause, end, asked, refused } = self;
        1 + (cause as u64)
            + ((end as u64) << 8)
            + (u64::from(asked) << 16)
            + (u64::from(refused) << 32)
    }

    /// None for one of a later version.
    pub(in crate::ledger) fn of_number(number: u64) -> Option<Rendering> {
        let part = |shift: u32, mask: u64| number >> shift & mask;
        let cause = usize::try_from(part(0, 0xff)).ok()?.checked_sub(1)?;
        let end = usize::try_from(part(8, 0xff)).ok()?;
        Some(Rendering {
            cause: *RenderCause::ALL.get(cause)?,
            end: *RenderEnd::ALL.get(end)?,
            asked: part(16, 0xffff) as u16,
            refused: part(32, 0xffff) as u16,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rendering_comes_back_from_its_number() {
        for (number, end) in RenderEnd::ALL.into_iter().enumerate() {
            assert_eq!(end as usize, number);
            for (number, cause) in RenderCause::ALL.into_iter().enumerate() {
                assert_eq!(cause as usize, number);
                let rendering = Rendering { cause, end, asked: 65_535, refused: 7 };
                assert_eq!(Rendering::of_number(rendering.number()), Some(rendering));
            }
        }
        for number in [0, 3, 0xff, 9 << 8 | 1, u64::MAX] {
            assert_eq!(Rendering::of_number(number), None, "{number}");
        }
    }
}
