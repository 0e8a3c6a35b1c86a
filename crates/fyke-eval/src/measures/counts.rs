//! Counts: what was retrieved, what is relevant, and both; added up over queries.

use super::{Cutoff, Mean, Measure, MeasureExample, Scale};

pub(super) const RETRIEVED: Measure = Measure {
    name: "NumRet",
    trec: ["num_ret", ""],
    what: "how many documents were retrieved",
    at: Cutoff::Nothing,
    keys: &[],
    mean: Mean::Sum,
    scale: Scale::Open,
    compute: |judged, _| judged.retrieved() as f64,
    example: MeasureExample::new("NumRet", &[1, 0, -1], &[1], 3.0),
};

pub(super) const RELEVANT: Measure = Measure {
    name: "NumRel",
    trec: ["num_rel", ""],
    what: "how many documents are relevant",
    compute: |judged, _| judged.relevant() as f64,
    example: MeasureExample::new("NumRel", &[1, 0, -1], &[2, 0], 2.0),
    ..RETRIEVED
};

pub(super) const RELEVANT_RETRIEVED: Measure = Measure {
    name: "NumRelRet",
    trec: ["num_rel_ret", ""],
    what: "how many relevant documents were retrieved",
    compute: |judged, _| judged.ranks().len() as f64,
    example: MeasureExample::new("NumRelRet(rel=2)", &[2, 1, -1], &[2], 1.0),
    ..RETRIEVED
};

pub(super) const NONRELEVANT_RETRIEVED: Measure = Measure {
    name: "NumNonrelJudgedRet",
    trec: ["num_nonrel_judged_ret", ""],
    what: "how many retrieved documents were judged and found not relevant",
    compute: |judged, _| {
        (judged.retrieved() - judged.ranks().len() - judged.unjudged(usize::MAX)) as f64
    },
    example: MeasureExample::new("num_nonrel_judged_ret", &[1, 0, -1], &[0], 1.0),
    ..RETRIEVED
};

pub(super) const QUERIES: Measure = Measure {
    name: "NumQ",
    trec: ["num_q", ""],
    what: "how many queries there are",
    compute: |_, _| 1.0,
    example: MeasureExample::new("NumQ", &[], &[], 1.0),
    ..RETRIEVED
};
