//! The figures that 004 prints, beside which ours stand.
//!
//! Its slips are left as they are: "PO-3 9.4 %" in table 1 is the figure for queries, and UN-5 and PO-5 change
//! places between tables 1 and 2.

/// What 004 has of a way, where it has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PublishedFigures {
    /// Documents in the language after 1,000 queries.
    pub at_queries: f64,
    /// The same among the first 1,000 documents.
    pub at_documents: f64,
    /// Share of the language among the first 3,000 documents.
    pub share: f64,
}

/// Nothing.
pub(crate) const NO_FIGURES: PublishedFigures =
    PublishedFigures { at_queries: f64::NAN, at_documents: f64::NAN, share: f64::NAN };

pub(crate) const LANGUAGES: [&str; 4] = ["sl", "hr", "cs", "tl"];

/// A way with its figures for the four languages.
pub(crate) struct FourFigures {
    pub name: &'static str,
    pub at_documents: [f64; 4],
    pub at_queries: [f64; 4],
}

/// Tables 6 (after 1,000 documents) and 7 (after 1,000 queries).
pub(crate) const TABLES_6_AND_7: [FourFigures; 3] = [
    FourFigures {
        name: "TF-3",
        at_documents: [178.0, 39.0, 385.0, 440.0],
        at_queries: [182.0, 61.0, 286.0, 793.0],
    },
    FourFigures {
        name: "PTF-3",
        at_documents: [646.0, 410.0, 451.0, 359.0],
        at_queries: [342.0, 231.0, 198.0, 262.0],
    },
    FourFigures {
        name: "OR-3",
        at_documents: [835.0, 677.0, 743.0, 664.0],
        at_queries: [1409.0, 93.0, 680.0, 236.0],
    },
];

/// The ways of tables 1 and 2, in the order of table 2's columns.
const WAYS: [&str; 5] = ["TF", "PTF", "OR", "POR", "UN"];

/// A length with its rows of table 2 (after 1,000 queries, among 1,000 documents) and its row of table 1 (percent).
struct LengthFigures {
    length: &'static str,
    at_queries: [f64; 5],
    at_documents: [f64; 5],
    percent: [f64; 5],
}

const NONE: [f64; 5] = [f64::NAN; 5];

const TABLES_1_AND_2: [LengthFigures; 5] = [
    LengthFigures {
        length: "1",
        at_queries: [88.0, 249.0, 1652.0, 427.0, 364.0],
        at_documents: [93.0, 261.0, 636.0, 461.0, 382.0],
        percent: [8.9, 19.1, 68.8, 46.0, 39.0],
    },
    LengthFigures {
        length: "3",
        at_queries: [182.0, 388.0, 1768.0, 94.0, 35.0],
        at_documents: [178.0, 646.0, 835.0, 94.0, 246.0],
        percent: [33.2, 64.1, 82.3, 9.4, 65.8],
    },
    LengthFigures {
        length: "5",
        at_queries: [530.0, 143.0, 1167.0, 11.0, 10.0],
        at_documents: [721.0, 799.0, 844.0, 73.0, 36.0],
        percent: [77.0, 77.4, 81.5, 92.3, 92.4],
    },
    LengthFigures {
        length: "7",
        at_queries: [0.0, 10.0, 1384.0, 4.0, 2.0],
        at_documents: [417.0, 289.0, 831.0, 20.0, 10.0],
        percent: NONE,
    },
    LengthFigures {
        length: "10",
        at_queries: [0.0, 10.0, 16.0, 0.0, 1.0],
        at_documents: [11.0, 102.0, 598.0, 4.0, 1.0],
        percent: [7.0, 88.7, 79.2, 100.0, 50.0],
    },
];

/// Every way with every length of tables 1 and 2, by its name (`OR-3`).
pub(crate) fn lengths() -> impl Iterator<Item = (String, PublishedFigures)> {
    TABLES_1_AND_2.iter().flat_map(|row| {
        WAYS.iter().enumerate().map(move |(at, way)| {
            let figures = PublishedFigures {
                at_queries: row.at_queries[at],
                at_documents: row.at_documents[at],
                share: row.percent[at] / 100.0,
            };
            (format!("{way}-{}", row.length), figures)
        })
    })
}

/// Figure 13, Tagalog: documents in the language among the first 1,000, as the text gives them.
pub(crate) const FIGURE_13: [(&str, f64); 3] = [("TF-1", 17.0), ("PTF-1", 122.0), ("OR-1", 300.0)];

/// Figure 12 and §7.1: how often a document is in the language.
pub(crate) const FIGURE_12: [(&str, f64); 2] = [("like", 0.33), ("OR-5", 0.90)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_and_way_of_the_tables_is_there() {
        let all: Vec<(String, PublishedFigures)> = lengths().collect();
        assert_eq!(all.len(), 25);
        let (name, figures) = &all[7];
        assert_eq!((name.as_str(), figures.at_queries, figures.share), ("OR-3", 1768.0, 0.823));
    }
}
