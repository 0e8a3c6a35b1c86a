//! The preferences of one judgement group.

/// Documents of one level, in the order of their numbers.
#[derive(Debug)]
pub(super) struct PreferenceClass {
    pub(super) level: f64,
    pub(super) documents: Vec<usize>,
}

/// What a judge says of a document within a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreferenceLevel<'a> {
    pub(super) subgroup: &'a str,
    /// The number of the document.
    pub(super) document: usize,
    pub(super) level: f64,
}

/// What one judge prefers.
#[derive(Debug)]
pub(super) enum PreferenceGroup {
    /// Every document of a class is preferred to all of the classes behind it.
    Classes(Vec<PreferenceClass>),
    /// Row `a`, column `b`: whether `a` is preferred to `b`; and levels, None of what is not in the
    /// group.
    Array { prefers: Vec<Vec<bool>>, levels: Vec<Option<f64>> },
}

impl PreferenceGroup {
    pub(super) fn new(
        mut lines: Vec<PreferenceLevel<'_>>,
        documents: usize,
    ) -> Result<PreferenceGroup, String> {
        let best_first = |a: &PreferenceLevel<'_>, b: &PreferenceLevel<'_>| {
            let by_level = b.level.total_cmp(&a.level);
            a.subgroup.cmp(b.subgroup).then(by_level).then(a.document.cmp(&b.document))
        };
        lines.sort_unstable_by(best_first);
        let subgroups: Vec<_> = lines.chunk_by(|a, b| a.subgroup == b.subgroup).collect();
        match subgroups.as_slice() {
            [one] => PreferenceGroup::classes(one, documents),
            several => PreferenceGroup::array(several, documents),
        }
    }

    fn classes(lines: &[PreferenceLevel<'_>], documents: usize) -> Result<PreferenceGroup, String> {
        let mut seen = vec![false; documents];
        if lines.iter().any(|line| std::mem::replace(&mut seen[line.document], true)) {
            return Err("a document has two levels in one group".to_owned());
        }
        let class = |lines: &[PreferenceLevel<'_>]| PreferenceClass {
            level: lines[0].level,
            documents: lines.iter().map(|line| line.document).collect(),
        };
        let classes = lines.chunk_by(|a, b| a.level == b.level);
        Ok(PreferenceGroup::Classes(classes.map(class).collect()))
    }

    fn array(
        subgroups: &[&[PreferenceLevel<'_>]],
        documents: usize,
    ) -> Result<PreferenceGroup, String> {
        let mut levels: Vec<Option<f64>> = vec![None; documents];
        let mut prefers = vec![vec![false; documents]; documents];
        for lines in subgroups {
            for &PreferenceLevel { document, level, .. } in *lines {
                if levels[document].is_some_and(|known| (known > 0.0) != (level > 0.0)) {
                    return Err("a document is relevant in one subgroup and not in another".into());
                }
                levels[document] = Some(level);
                let worse = lines.iter().filter(|line| line.level < level);
                worse.for_each(|line| prefers[document][line.document] = true);
            }
        }
        close(&mut prefers);
        let contradicts = |a: usize| (0..documents).any(|b| prefers[a][b] && prefers[b][a]);
        match (0..documents).any(contradicts) {
            true => Err("preferences of one group contradict each other".to_owned()),
            false => Ok(PreferenceGroup::Array { prefers, levels }),
        }
    }

    /// Tells every preference.
    pub(super) fn each(&self, mut told: impl FnMut(usize, usize)) {
        match self {
            PreferenceGroup::Classes(classes) => {
                for (place, better) in classes.iter().enumerate() {
                    for worse in &classes[place + 1..] {
                        pairs(&better.documents, &worse.documents, &mut told);
                    }
                }
            }
            PreferenceGroup::Array { prefers, .. } => {
                for (a, row) in prefers.iter().enumerate() {
                    let worse = row.iter().enumerate().filter(|(_, is)| **is);
                    worse.for_each(|(b, _)| told(a, b));
                }
            }
        }
    }

    /// Tells every document with whether it is relevant.
    pub(super) fn documents(&self) -> Vec<(usize, bool)> {
        match self {
            PreferenceGroup::Classes(classes) => {
                let of = |class: &PreferenceClass| {
                    let is_relevant = class.level > 0.0;
                    class.documents.iter().map(move |&document| (document, is_relevant)).collect()
                };
                classes.iter().flat_map::<Vec<_>, _>(of).collect()
            }
            PreferenceGroup::Array { levels, .. } => {
                let of =
                    |(document, level): (usize, &Option<f64>)| Some((document, (*level)? > 0.0));
                levels.iter().enumerate().filter_map(of).collect()
            }
        }
    }
}

/// Every pair of one of the first and one of the second.
pub(super) fn pairs(first: &[usize], second: &[usize], told: &mut impl FnMut(usize, usize)) {
    first.iter().for_each(|&a| second.iter().for_each(|&b| told(a, b)));
}

/// Adds what follows: who is preferred to the preferred is preferred.
fn close(prefers: &mut [Vec<bool>]) {
    for through in 0..prefers.len() {
        let further = prefers[through].clone();
        for row in prefers.iter_mut().filter(|row| row[through]) {
            row.iter_mut().zip(&further).for_each(|(known, more)| *known |= more);
        }
    }
}
