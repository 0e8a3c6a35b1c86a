//! Documents with a number for each query: what qrels and runs have in common. Names lie one behind
//! another in one string and a document is sixteen bytes, so that a million lines are read without
//! a million allocations; the hash of a name is kept, so that a run meets its qrels without another
//! look at the names that differ.

use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64;

/// Queries in the order of their names, each with its documents.
#[derive(Clone, Debug)]
pub(crate) struct Table<V> {
    names: String,
    queries: Vec<Query<V>>,
}

#[derive(Clone, Debug)]
struct Query<V> {
    name: String,
    rows: Vec<Row<V>>,
}

/// A document of a query and its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<V> {
    start: u32,
    length: u32,
    hash: u32,
    pub(crate) value: V,
}

/// The names are longer than four gigabytes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

impl<V> Default for Table<V> {
    fn default() -> Table<V> {
        Table { names: String::new(), queries: Vec::new() }
    }
}

impl<V: Copy> Table<V> {
    pub(crate) fn queries(&self) -> impl ExactSizeIterator<Item = &str> {
        self.queries.iter().map(|query| query.name.as_str())
    }

    /// The documents of a query; none if it is unknown.
    pub(crate) fn rows(&self, query: &str) -> &[Row<V>] {
        self.place(query).map_or(&[], |at| self.queries[at].rows.as_slice())
    }

    pub(crate) fn name(&self, row: &Row<V>) -> &str {
        &self.names[row.start as usize..(row.start + row.length) as usize]
    }

    /// The rows of a query, to be changed.
    pub(crate) fn rows_mut(&mut self, query: &str) -> &mut Vec<Row<V>> {
        let at = self.place(query).unwrap_or_else(|at| {
            self.queries.insert(at, Query { name: query.to_owned(), rows: Vec::new() });
            at
        });
        &mut self.queries[at].rows
    }

    /// A row with this name, not yet of any query.
    pub(crate) fn row(&mut self, document: &str, value: V) -> Result<Row<V>, TooLong> {
        let start = u32::try_from(self.names.len()).map_err(|_| TooLong)?;
        let length = u32::try_from(document.len()).map_err(|_| TooLong)?;
        start.checked_add(length).ok_or(TooLong)?;
        self.names.push_str(document);
        Ok(Row { start, length, hash: hash(document), value })
    }

    fn place(&self, query: &str) -> Result<usize, usize> {
        self.queries.binary_search_by(|known| known.name.as_str().cmp(query))
    }

    /// Puts the documents of each query in order: `compare` is given rows with their names.
    pub(crate) fn sort_rows(
        &mut self,
        compare: impl Fn((&str, V), (&str, V)) -> std::cmp::Ordering,
    ) {
        let names = &self.names;
        let name = |row: &Row<V>| &names[row.start as usize..(row.start + row.length) as usize];
        for query in &mut self.queries {
            let order = |a: &Row<V>, b: &Row<V>| compare((name(a), a.value), (name(b), b.value));
            // Most files are in order.
            if !query.rows.is_sorted_by(|a, b| order(a, b).is_le()) {
                query.rows.sort_unstable_by(order);
            }
        }
    }

    /// A query and a document that it has twice.
    pub(crate) fn twice(&self) -> Option<(&str, &str)> {
        let mut index = Index::default();
        self.queries.iter().find_map(|query| {
            let row = index.fill(self, &query.rows)?;
            Some((query.name.as_str(), self.name(&query.rows[row])))
        })
    }
}

fn hash(name: &str) -> u32 {
    let hash = xxh3_64(name.as_bytes());
    (hash ^ (hash >> 32)) as u32
}

/// Names of queries are short: a loop is faster than a call.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(|(a, b)| a == b)
}

/// A table while lines are read: knows the query of the line before, which is nearly always that of
/// the next.
#[derive(Debug)]
pub(crate) struct Filling<V> {
    table: Table<V>,
    places: HashMap<String, usize>,
    last: usize,
}

impl<V> Default for Filling<V> {
    fn default() -> Filling<V> {
        Filling { table: Table::default(), places: HashMap::new(), last: usize::MAX }
    }
}

impl<V: Copy> Filling<V> {
    pub(crate) fn push(&mut self, query: &str, document: &str, value: V) -> Result<(), TooLong> {
        let row = self.table.row(document, value)?;
        let queries = &mut self.table.queries;
        if queries.get(self.last).is_none_or(|last| !is_same(&last.name, query)) {
            self.last = self.places.get(query).copied().unwrap_or_else(|| {
                self.places.insert(query.to_owned(), queries.len());
                // As many as the query before had: in most files all queries have the same.
                let rows = Vec::with_capacity(queries.last().map_or(0, |last| last.rows.len()));
                queries.push(Query { name: query.to_owned(), rows });
                queries.len() - 1
            });
        }
        queries[self.last].rows.push(row);
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Table<V> {
        self.table.queries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        self.table
    }
}

/// Finds rows by name: places of rows, from 1, at their hashes; 0 is free.
#[derive(Debug, Default)]
pub(crate) struct Index {
    slots: Vec<u32>,
}

impl Index {
    /// Takes up these rows instead of those before; a row with a name that another has stops it.
    pub(crate) fn fill<V: Copy>(&mut self, table: &Table<V>, rows: &[Row<V>]) -> Option<usize> {
        // A quarter full at most: most of what is not there is not even compared.
        let size = (rows.len() * 4).next_power_of_two();
        self.slots.clear();
        self.slots.resize(size, 0);
        for (at, row) in rows.iter().enumerate() {
            let slot = self.slot(table, rows, row.hash, || table.name(row));
            if self.slots[slot] != 0 {
                return Some(at);
            }
            self.slots[slot] = at as u32 + 1;
        }
        None
    }

    /// The row that has the name which `row` has in `others`.
    pub(crate) fn find<V: Copy, W: Copy>(
        &self,
        (table, rows): (&Table<V>, &[Row<V>]),
        (others, row): (&Table<W>, &Row<W>),
    ) -> Option<usize> {
        let slot = self.slot(table, rows, row.hash, || others.name(row));
        (self.slots[slot] as usize).checked_sub(1)
    }

    /// The slot of a name, or the free one where it would be.
    fn slot<'a, V: Copy>(
        &self,
        table: &Table<V>,
        rows: &[Row<V>],
        hash: u32,
        name: impl Fn() -> &'a str,
    ) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(at) = (self.slots[slot] as usize).checked_sub(1) {
            if rows[at].hash == hash && table.name(&rows[at]) == name() {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}
