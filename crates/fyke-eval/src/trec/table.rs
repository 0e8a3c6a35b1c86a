//! Documents with a number for each query: what qrels and runs have in common. Names lie one behind
//! another in one string and a document is sixteen bytes, so that a million lines are read without
//! a million allocations; the hash of a name is kept, so that a run meets its qrels without another
//! look at the names that differ.

use std::cmp::Ordering;
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64;

/// Queries in the order of their names, each with its documents.
#[derive(Clone, Debug)]
pub(crate) struct TrecTable<V> {
    names: String,
    queries: Vec<QuerySpan<V>>,
}

#[derive(Clone, Debug)]
struct QuerySpan<V> {
    name: String,
    rows: Vec<TableRow<V>>,
}

/// A document of a query and its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableRow<V> {
    start: u32,
    length: u32,
    hash: u32,
    pub(crate) value: V,
}

impl<V> TableRow<V> {
    fn name<'a>(&self, names: &'a str) -> &'a str {
        &names[self.start as usize..(self.start + self.length) as usize]
    }
}

/// The names are longer than four gigabytes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

impl<V> Default for TrecTable<V> {
    fn default() -> TrecTable<V> {
        TrecTable { names: String::new(), queries: Vec::new() }
    }
}

impl<V: Copy> TrecTable<V> {
    pub(crate) fn queries(&self) -> impl ExactSizeIterator<Item = &str> {
        self.queries.iter().map(|query| query.name.as_str())
    }

    /// The documents of a query; none if it is unknown.
    pub(crate) fn rows(&self, query: &str) -> &[TableRow<V>] {
        self.place(query).map_or(&[], |at| self.queries[at].rows.as_slice())
    }

    pub(crate) fn name(&self, row: &TableRow<V>) -> &str {
        row.name(&self.names)
    }

    /// The names of all documents, which rows point into.
    pub(crate) fn names(&self) -> &str {
        &self.names
    }

    /// The rows of a query, to be changed.
    pub(crate) fn rows_mut(&mut self, query: &str) -> &mut Vec<TableRow<V>> {
        let at = self.place(query).unwrap_or_else(|at| {
            self.queries.insert(at, QuerySpan { name: query.to_owned(), rows: Vec::new() });
            at
        });
        &mut self.queries[at].rows
    }

    /// A row with this name, not yet of any query.
    pub(crate) fn row(&mut self, document: &str, value: V) -> Result<TableRow<V>, TooLong> {
        let start = u32::try_from(self.names.len()).map_err(|_| TooLong)?;
        let length = u32::try_from(document.len()).map_err(|_| TooLong)?;
        start.checked_add(length).ok_or(TooLong)?;
        self.names.push_str(document);
        Ok(TableRow { start, length, hash: hash(document), value })
    }

    fn place(&self, query: &str) -> Result<usize, usize> {
        self.queries.binary_search_by(|known| known.name.as_str().cmp(query))
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

/// A grade or a score.
pub(crate) trait GradeOrScore: Copy {
    /// Which of two documents of a query comes first by these.
    fn by_value(a: Self, b: Self) -> Ordering;
    /// Which comes first by their names, where these do not tell.
    fn by_name(a: &str, b: &str) -> Ordering;
}

/// A document that a query has twice.
#[derive(Debug)]
pub(crate) struct TwiceNamed {
    pub(crate) query: String,
    pub(crate) document: String,
}

/// A table while lines are read: knows the query of the line before, which is nearly always that of
/// the next. The documents of a query are put in order and looked through for doubles when the next
/// query comes, while they are still near the processor.
#[derive(Debug)]
pub(crate) struct Filling<V> {
    table: TrecTable<V>,
    places: HashMap<String, usize>,
    last: usize,
    /// Whether a query is in order, by its place.
    done: Vec<bool>,
    index: NameIndex,
    twice: Option<TwiceNamed>,
}

impl<V> Default for Filling<V> {
    fn default() -> Filling<V> {
        Filling {
            table: TrecTable::default(),
            places: HashMap::new(),
            last: usize::MAX,
            done: Vec::new(),
            index: NameIndex::default(),
            twice: None,
        }
    }
}

impl<V: GradeOrScore> Filling<V> {
    #[inline]
    pub(crate) fn push(&mut self, query: &str, document: &str, value: V) -> Result<(), TooLong> {
        let row = self.table.row(document, value)?;
        if self.table.queries.get(self.last).is_none_or(|last| !is_same(&last.name, query)) {
            self.turn_to(query);
        }
        self.table.queries[self.last].rows.push(row);
        Ok(())
    }

    fn turn_to(&mut self, query: &str) {
        if let Some(&known) = self.places.get(query) {
            self.last = known;
            self.done[known] = false;
            return;
        }
        // Only when a query begins: in a file where lines of many alternate this must not be done
        // for each line.
        self.put_in_order(self.last);
        let queries = &mut self.table.queries;
        // As many as the query before had: in most files all queries have the same.
        let rows = Vec::with_capacity(queries.last().map_or(0, |last| last.rows.len()));
        self.last = queries.len();
        self.places.insert(query.to_owned(), self.last);
        queries.push(QuerySpan { name: query.to_owned(), rows });
        self.done.push(false);
    }

    fn put_in_order(&mut self, at: usize) {
        let Some(query) = self.table.queries.get_mut(at) else { return };
        let names = &self.table.names;
        let order = |a: &TableRow<V>, b: &TableRow<V>| {
            let by_name = || V::by_name(a.name(names), b.name(names));
            V::by_value(a.value, b.value).then_with(by_name)
        };
        // Most files are in order.
        if !query.rows.is_sorted_by(|a, b| order(a, b).is_le()) {
            query.rows.sort_unstable_by(order);
        }
        if let Some(row) = self.index.fill(names, &query.rows) {
            let document = query.rows[row].name(names).to_owned();
            self.twice = Some(TwiceNamed { query: query.name.clone(), document });
        }
        self.done[at] = true;
    }

    /// The table, if no query has a document twice.
    pub(crate) fn finish(mut self) -> Result<TrecTable<V>, TwiceNamed> {
        for at in 0..self.done.len() {
            if !self.done[at] {
                self.put_in_order(at);
            }
        }
        self.table.queries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        self.twice.map_or(Ok(self.table), Err)
    }
}

/// Finds rows by name: places of rows, from 1, at their hashes; 0 is free.
#[derive(Debug, Default)]
pub(crate) struct NameIndex {
    slots: Vec<u32>,
}

impl NameIndex {
    /// Takes up these rows instead of those before; a row with a name that another has stops it.
    pub(crate) fn fill<V>(&mut self, names: &str, rows: &[TableRow<V>]) -> Option<usize> {
        // Little of it is used, so that most of what is not there is not even compared, unless that
        // would no longer be near the processor.
        let size = (rows.len() * if rows.len() < 256 { 16 } else { 2 }).next_power_of_two();
        self.slots.clear();
        self.slots.resize(size, 0);
        for (at, row) in rows.iter().enumerate() {
            let slot = self.slot((names, rows), (names, row));
            if self.slots[slot] != 0 {
                return Some(at);
            }
            self.slots[slot] = at as u32 + 1;
        }
        None
    }

    /// The row that has the name which `row` has among its own names.
    #[inline(always)]
    pub(crate) fn find<V, W>(
        &self,
        known: (&str, &[TableRow<V>]),
        row: (&str, &TableRow<W>),
    ) -> Option<usize> {
        // Most are not there, which is seen at once.
        let first = self.slots[row.1.hash as usize & (self.slots.len() - 1)];
        if first == 0 {
            return None;
        }
        (self.slots[self.slot(known, row)] as usize).checked_sub(1)
    }

    /// The slot of a name, or the free one where it would be.
    fn slot<V, W>(
        &self,
        (names, rows): (&str, &[TableRow<V>]),
        row: (&str, &TableRow<W>),
    ) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = row.1.hash as usize & mask;
        while let Some(at) = (self.slots[slot] as usize).checked_sub(1) {
            if rows[at].hash == row.1.hash && rows[at].name(names) == row.1.name(row.0) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}
