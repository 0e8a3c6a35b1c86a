//! What an engine makes of `+` and `−`: a few queries at the start tell, so that nothing is asked for later
//! that it does not understand. An index of ours needs none of them.

use super::KnownEngine;
use serde::{Deserialize, Serialize};

/// What no document has.
const NONSENSE: &str = "qzvkxwjqpzfh";
/// Hits that are looked at.
const DEPTH: usize = 10;

/// What an engine was found to do with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineManners {
    /// It gives hits at all.
    pub answers: bool,
    /// A sign before a word does no harm.
    pub plus: bool,
    /// Every word of a query must stand in a hit.
    pub all_words: bool,
    /// Words with a minus do not stand in hits.
    pub minus: bool,
    /// It puts a document twice into one answer.
    pub repeats: bool,
}

impl EngineManners {
    /// Those of our own index.
    pub const OWN: EngineManners =
        EngineManners { answers: true, plus: true, all_words: true, minus: true, repeats: false };

    /// What it does not do, in sentences for people.
    #[must_use]
    pub fn complaints(&self) -> Vec<&'static str> {
        let said = [
            (!self.answers, "it gave no hit for any word of the language"),
            (!self.plus, "it finds nothing with \"+\" before a word: words are sent without it"),
            (
                !self.all_words,
                "its hits need not have all words of a query: one word is sent at a time",
            ),
            (!self.minus, "it ignores \"-\" before a word: no words are excluded"),
            (self.repeats, "it gives the same hit more than once: copies are passed over"),
        ];
        said.into_iter().filter(|row| row.0).map(|row| row.1).collect()
    }
}

/// Common words of the language to try with; the first that has hits is taken.
#[derive(Clone, Copy, Debug)]
pub struct ProbeWords<'a>(pub &'a [&'a str]);

impl KnownEngine {
    /// Finds out what the engine does. Answers that are known cost nothing.
    ///
    /// # Errors
    /// When the engine gives no answer.
    pub async fn probe(
        &mut self,
        words: ProbeWords<'_>,
        now: i64,
    ) -> anyhow::Result<EngineManners> {
        if self.engine.is_own() {
            return Ok(EngineManners::OWN);
        }
        for word in words.0 {
            if !self.has_hits(word, now).await? {
                continue;
            }
            let plus = self.has_hits(&format!("+{word}"), now).await?;
            let sign = if plus { "+" } else { "" };
            let both = format!("{sign}{word} {sign}{NONSENSE}");
            let all_words = !self.has_hits(&both, now).await?;
            let minus = !self.has_hits(&format!("{sign}{word} -{word}"), now).await?;
            let repeats = self.repeats();
            return Ok(EngineManners { answers: true, plus, all_words, minus, repeats });
        }
        Ok(EngineManners { answers: false, ..EngineManners::OWN })
    }

    async fn has_hits(&mut self, query: &str, now: i64) -> anyhow::Result<bool> {
        Ok(!self.ask(query, DEPTH, now).await?.0.is_empty())
    }

    /// Whether documents came twice in an answer of this run.
    #[must_use]
    pub fn repeats(&self) -> bool {
        match &self.engine {
            super::Engine::Remote(remote) => remote.repeats() > 0,
            super::Engine::Own { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_does_not_do_is_said() {
        assert!(EngineManners::OWN.complaints().is_empty());
        let bad = EngineManners {
            answers: false,
            plus: false,
            all_words: false,
            minus: false,
            repeats: true,
        };
        assert_eq!(bad.complaints().len(), 5);
    }
}
