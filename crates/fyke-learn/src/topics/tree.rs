//! The tree of topics: nodes are numbers, and a parent has a smaller one than its children (002 §3).

use serde::{Deserialize, Serialize};

/// A tree, or several side by side: the collection as a whole is the root above them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    parents: Vec<Option<usize>>,
}

impl Tree {
    /// A tree by the parent of each node; none where a parent does not stand before its child.
    #[must_use]
    pub fn new(parents: Vec<Option<usize>>) -> Option<Tree> {
        let is_before = |(node, parent): (usize, &Option<usize>)| parent.is_none_or(|p| p < node);
        parents.iter().enumerate().all(is_before).then_some(Tree { parents })
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    #[must_use]
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    /// The nodes right below one, or at the top.
    pub fn children(&self, of: Option<usize>) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |node| self.parents[*node] == of)
    }

    /// The nodes above one, the nearest first.
    pub fn above(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parents[node], |node| self.parents[*node])
    }

    /// Whether a node is another or lies below it.
    #[must_use]
    pub fn is_within(&self, node: usize, other: usize) -> bool {
        node == other || self.above(node).any(|above| above == other)
    }

    /// What each node has together with all below it.
    #[must_use]
    pub fn sums(&self, own: &[f64]) -> Vec<f64> {
        let mut sums = own.to_vec();
        for node in (0..self.len()).rev() {
            if let Some(parent) = self.parents[node] {
                sums[parent] += sums[node];
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_knows_what_is_above_and_below() {
        let tree = Tree::new(vec![None, Some(0), Some(1), None, Some(0)]).unwrap();
        assert_eq!(tree.above(2).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(tree.children(Some(0)).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(tree.children(None).collect::<Vec<_>>(), [0, 3]);
        assert_eq!(tree.sums(&[1., 2., 4., 8., 16.]), [23., 6., 4., 8., 16.]);
        assert!(tree.is_within(2, 0) && tree.is_within(2, 2) && !tree.is_within(0, 2));
    }

    #[test]
    fn a_parent_stands_before_its_children() {
        assert_eq!(Tree::new(vec![Some(1), None]), None);
        assert_eq!(Tree::new(vec![Some(0)]), None);
    }
}
