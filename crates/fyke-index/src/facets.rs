//! Facets (faceted classification): how many of a query's matches lie on which host, in
//! which language, format and year, and what facts say of them. A value of a facet is chosen by adding
//! its condition to the query: `site:`, `lang:`, `type:`, `date:`, or the name of the fact.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fact::{Fact, FactKind};
use crate::query::year;
use crate::rank::segment::Snapshot;
use crate::schema::{DATE, FORMAT, HOST, LANGUAGE};

/// So many matches are looked at; their order says nothing about what they are.
pub(crate) const MAX_COUNTED: usize = 200_000;

/// So many values of a facet are shown.
const MAX_VALUES: usize = 20;

/// So many values of a facet are taken over from each segment, the most frequent first.
const MAX_SEGMENT_VALUES: usize = 1_000;

/// What the matches of a query are like; in each list the most frequent first, years the latest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Facets {
    pub hosts: Vec<Facet>,
    pub languages: Vec<Facet>,
    /// As `html` or `pdf`.
    pub formats: Vec<Facet>,
    /// By the names of facts: of a label the main one of each match, of a number its classes, which
    /// ascend.
    pub facts: BTreeMap<&'static str, Vec<Facet>>,
    pub years: Vec<Facet>,
    /// Matches that were looked at.
    pub counted: usize,
    /// Whether there are more matches than were looked at; the counts are then of a sample.
    pub sampled: bool,
}

/// A value that matches have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facet {
    pub value: String,
    /// Matches that have it.
    pub count: usize,
}

/// Counts the matches in `matching`, a list for each segment, of `total`.
pub(crate) fn facets(
    snapshot: &Snapshot,
    matching: &[Vec<u32>],
    total: usize,
) -> tantivy::Result<Facets> {
    let counted = matching.iter().map(Vec::len).sum();
    let mut years = year_counts(snapshot, matching)?;
    years.sort_by(|a, b| b.value.cmp(&a.value));
    years.truncate(MAX_VALUES);
    Ok(Facets {
        hosts: named(snapshot, matching, HOST)?,
        languages: named(snapshot, matching, LANGUAGE)?,
        formats: named(snapshot, matching, FORMAT)?,
        facts: told(snapshot, matching)?,
        years,
        counted,
        sampled: counted < total,
    })
}

/// The facts that are facets.
fn told(
    snapshot: &Snapshot,
    matching: &[Vec<u32>],
) -> tantivy::Result<BTreeMap<&'static str, Vec<Facet>>> {
    let mut all = BTreeMap::new();
    for fact in snapshot.facts.iter().filter(|fact| fact.facet.is_some()) {
        let values = match fact.kind {
            FactKind::Label => named(snapshot, matching, &fact.column())?,
            FactKind::Number => classes(snapshot, matching, fact)?,
        };
        if !values.is_empty() {
            all.insert(fact.name, values);
        }
    }
    Ok(all)
}

/// The classes of a number that have matches, in their order.
fn classes(snapshot: &Snapshot, matching: &[Vec<u32>], fact: &Fact) -> tantivy::Result<Vec<Facet>> {
    let names = fact.classes();
    let mut counts = vec![0; names.len()];
    for (segment, docs) in snapshot.segments.iter().zip(matching) {
        let numbers = segment.reader.fast_fields().f64(&fact.column())?;
        for number in docs.iter().filter_map(|doc| numbers.first(*doc)) {
            counts[fact.class_of(number)] += 1;
        }
    }
    let counted = names.into_iter().zip(counts).filter(|(_, count)| *count > 0);
    Ok(counted.map(facet).collect())
}

/// The most frequent values of a column of names; the empty name is none.
fn named(snapshot: &Snapshot, matching: &[Vec<u32>], column: &str) -> tantivy::Result<Vec<Facet>> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (segment, docs) in snapshot.segments.iter().zip(matching) {
        let Some(names) = segment.reader.fast_fields().str(column)? else { continue };
        let mut uses = vec![0_u32; names.num_terms()];
        let numbers = docs.iter().filter_map(|doc| names.ords().first(*doc));
        numbers.for_each(|number| uses[number as usize] += 1);
        let mut used: Vec<u64> = (0..).zip(&uses).filter(|u| *u.1 > 0).map(|u| u.0).collect();
        used.sort_by_key(|number| std::cmp::Reverse(uses[*number as usize]));
        for number in used.into_iter().take(MAX_SEGMENT_VALUES) {
            let mut name = String::new();
            names.ord_to_str(number, &mut name)?;
            *counts.entry(name).or_default() += uses[number as usize] as usize;
        }
    }
    counts.remove("");
    let mut found: Vec<Facet> = counts.into_iter().map(facet).collect();
    found.sort_by_key(|facet| std::cmp::Reverse(facet.count));
    found.truncate(MAX_VALUES);
    Ok(found)
}

fn facet((value, count): (String, usize)) -> Facet {
    Facet { value, count }
}

fn year_counts(snapshot: &Snapshot, matching: &[Vec<u32>]) -> tantivy::Result<Vec<Facet>> {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    for (segment, docs) in snapshot.segments.iter().zip(matching) {
        let Some(dates) = segment.reader.fast_fields().column_opt::<i64>(DATE)? else { continue };
        for day in docs.iter().filter_map(|doc| dates.first(*doc)) {
            *counts.entry(year(day)).or_default() += 1;
        }
    }
    Ok(counts.into_iter().map(|(year, count)| facet((format!("{year:04}"), count))).collect())
}
