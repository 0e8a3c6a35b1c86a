//! The subject of a focused crawl and how much a page is about it (002 §3: keywords give first labels,
//! naive Bayes makes a classifier of them). Pages that hold the keywords are learned as examples while the
//! crawl runs, pages without any of them as counter-examples; what lies between teaches neither, and is judged by
//! what was learned. When the crawl is over, all documents are judged again by their main texts
//! (`fyke_derive::whole::subject`); this judge decides how far the crawl goes.

use super::reading::GuideReading;
use fyke_learn::online::Online;
use fyke_learn::topics;

/// Pages of either kind that must have been learned before the classifier has a say.
const ENOUGH: f32 = 8.0;
/// Words of a text come in company: together they say less than each by itself would.
const SCALE: f32 = 0.1;
/// Places of words.
const PLACES: usize = 1 << 16;
/// Occurrences lent to either kind: those of a few pages.
const LENT: f32 = 1_000.;
/// Evidence from which on a page is an example: keywords stand in the margins of other pages too.
const SURELY: f32 = 0.7;
/// Pages found by keywords that one given as an example stands for.
const EXAMPLE: f32 = 4.;

const OFF: usize = 0;
const ON: usize = 1;

/// The subject, as far as it is known.
#[derive(Clone, Debug)]
pub struct Subject {
    model: Online<2>,
}

/// How much the keywords themselves say, 0 to 1: none of them, some, or as a page about them has.
fn evidence(reading: &GuideReading) -> f32 {
    let is_titled = reading.in_title.iter().any(|found| *found > 0);
    topics::evidence(reading.found.iter().sum(), reading.length, is_titled)
}

impl Default for Subject {
    fn default() -> Subject {
        Subject { model: Online::new(PLACES, LENT) }
    }
}

impl Subject {
    /// How much a page is about the subject, 0 to 1; from a half on it is.
    #[must_use]
    pub fn relevance(&self, reading: &GuideReading) -> f32 {
        let evidence = evidence(reading);
        if self.model.documents(ON).min(self.model.documents(OFF)) < ENOUGH {
            return evidence;
        }
        let learned = self.learned(reading);
        match evidence {
            // Without a single keyword it takes nearly all that can be learned.
            0. => 0.9 * learned,
            evidence => 0.35 * evidence + 0.65 * learned,
        }
    }

    /// What the classifier says by itself. That pages on the subject are rare speaks against one more; that
    /// they are many is the guide's doing, and says nothing.
    fn learned(&self, reading: &GuideReading) -> f32 {
        let odds = SCALE * self.model.odds(&reading.words, ON, OFF);
        let prior = (self.model.documents(ON) / self.model.documents(OFF)).min(1.);
        1. / (1. + (-odds).exp() / prior)
    }

    /// Learns a page that is about the subject for certain.
    pub fn learn_example(&mut self, reading: &GuideReading) {
        self.model.learn(&reading.words, ON, EXAMPLE);
    }

    /// Learns from a page what its keywords teach.
    pub fn learn(&mut self, reading: &GuideReading) {
        let evidence = evidence(reading);
        if evidence >= SURELY {
            self.model.learn(&reading.words, ON, 1.);
        } else if evidence <= 0. {
            self.model.learn(&reading.words, OFF, 1.);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(words: std::ops::Range<u32>, found: u32, title: u32) -> GuideReading {
        let mut reading = GuideReading::default();
        (reading.words, reading.length) = (words.collect(), 200);
        (reading.found, reading.in_title) = (vec![found], vec![title]);
        reading
    }

    #[test]
    fn keywords_decide_first_and_then_what_was_learned_from_them() {
        let mut subject = Subject::default();
        assert!(subject.relevance(&reading(0..9, 4, 0)) >= 0.5, "dense");
        assert!(subject.relevance(&reading(0..9, 1, 1)) >= 0.5, "in the title");
        assert!(subject.relevance(&reading(0..9, 1, 0)) < 0.5, "in passing");
        assert!(subject.relevance(&reading(0..9, 0, 0)) < 0.5, "not at all");
        let synonyms = reading(0..60, 0, 0);
        for page in 0..40 {
            subject.learn(&reading(0..60, 9, 1));
            subject.learn(&reading(100 + page..180 + page, 0, 0));
        }
        assert!(subject.relevance(&synonyms) >= 0.5, "its words are those of the subject");
        assert!(subject.relevance(&reading(110..170, 1, 0)) < 0.5, "a keyword in the margin");
    }
}
