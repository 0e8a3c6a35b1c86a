//! The outline of a collection's topics: a tree with a few keywords each.

use fyke_learn::topics::Tree;
use serde::{Deserialize, Serialize};

/// What `topics.toml` says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Every topic by its path; what is above stands before what is below.
    pub names: Vec<String>,
    /// The keywords of each topic.
    pub keywords: Vec<Vec<String>>,
    /// Topics are known to be of like size.
    pub even: bool,
    /// Documents may belong to no topic.
    pub rest: bool,
}

impl Outline {
    /// The tree of its topics.
    #[must_use]
    pub fn tree(&self) -> Tree {
        let parent = |name: &String| {
            let (above, _) = name.rsplit_once('/')?;
            self.names.iter().position(|name| name == above)
        };
        let parents = self.names.iter().map(parent).collect();
        Tree::new(parents).expect("what is above sorts first")
    }

    /// Every keyword with the place of its topic.
    pub(crate) fn all_keywords(&self) -> impl Iterator<Item = (usize, &str)> {
        let of = self.keywords.iter().enumerate();
        of.flat_map(|(topic, words)| words.iter().map(move |word| (topic, word.as_str())))
    }
}
