//! "May I?", by the status of an answer to a request for /robots.txt (RFC 9309, 2.3.1). Whoever asks, asks
//! here. A redirect is followed before its end is judged.

use super::Robots;

/// What the status of a robots.txt says of its host's pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotsStatus {
    /// The body binds.
    Rules,
    /// There is no robots.txt: everything is allowed. So it is where "not modified" (304) comes to one who has no
    /// copy; whoever has one goes by that.
    Absent,
    /// The rules are unknown: everything is forbidden until they are known. A part of a file (206) may
    /// lack the line that forbids, and "too many requests" (429) is no word about the file.
    Unknown,
}

impl RobotsStatus {
    #[must_use]
    pub fn of(status: u16) -> RobotsStatus {
        match status {
            200 | 203 => RobotsStatus::Rules,
            204 | 304 | 400..=428 | 430..=499 => RobotsStatus::Absent,
            _ => RobotsStatus::Unknown,
        }
    }
}

impl Robots {
    /// The rules that an answer with this status and body gives to `agent`; none when they are unknown.
    #[must_use]
    pub fn of_answer(status: u16, body: &[u8], agent: &str) -> Option<Robots> {
        match RobotsStatus::of(status) {
            RobotsStatus::Rules => Some(Robots::parse(body, agent)),
            RobotsStatus::Absent => Some(Robots::default()),
            RobotsStatus::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_allows_binds_or_leaves_the_rules_unknown() {
        let check = |statuses: &[u16], expected: [Option<bool>; 2]| {
            for status in statuses {
                let robots = Robots::of_answer(*status, b"User-agent: *\nDisallow: /a", "fyke");
                let may = |path: &str| robots.as_ref().map(|robots| robots.check(path).allowed);
                assert_eq!([may("/a"), may("/b")], expected, "{status}");
            }
        };
        check(&[200, 203], [Some(false), Some(true)]);
        check(&[204, 304, 400, 401, 403, 404, 410, 428, 451, 499], [Some(true), Some(true)]);
        check(&[0, 100, 201, 206, 300, 302, 429, 500, 503, 599, 999], [None, None]);
    }
}
