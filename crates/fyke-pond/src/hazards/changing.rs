//! Pages that change by a known process (000 "freshness"): a section of the newspaper. The pages
//! stand in `sites::live`, which asks for this row's switch.

use super::{Hazard, PLAIN};

pub const ROW: Hazard = Hazard {
    name: "changing-pages",
    what: "The readings under courier.test/live/ change at known mean times, from a quarter of a \
           minute to eight hours; every page has ETag and Last-Modified. A good crawler asks again \
           with If-None-Match or If-Modified-Since, more often where a page changes more often. \
           Switched off, the readings stand still.",
    ..PLAIN
};
