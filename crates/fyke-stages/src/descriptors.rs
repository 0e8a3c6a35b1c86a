//! How many files and sockets this process may open, and who gets how many: a quarter for the crawl's
//! connections, at most a quarter for the site's, the rest for the files of the collection.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// So many connections a crawl may always have.
const LEAST: usize = 4;

/// Asks the system for as many as it admits.
pub fn raise() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        // Where it is refused, the limit that stands is kept to.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

/// Of the connections that a crawl wants, those it can have.
#[must_use]
pub fn connections(wanted: usize) -> usize {
    share(wanted, getrlimit(Resource::Nofile).current)
}

fn share(wanted: usize, limit: Option<u64>) -> usize {
    let quarter = limit.map_or(usize::MAX, |all| usize::try_from(all / 4).unwrap_or(usize::MAX));
    wanted.min(quarter.max(LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_gets_what_it_wants_up_to_a_quarter() {
        for (limit, expected) in
            [(None, 256), (Some(u64::MAX), 256), (Some(1_024), 256), (Some(128), 32), (Some(0), 4)]
        {
            assert_eq!(share(256, limit), expected, "{limit:?}");
        }
        assert_eq!(share(1, Some(128)), 1);
    }

    #[test]
    fn the_limit_is_raised_to_what_the_system_admits() {
        raise();
        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current, limit.maximum);
    }
}
