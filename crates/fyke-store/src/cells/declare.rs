//! How a column is declared: once, with its name, the version of its type and what its keys mean.
//!
//! A cell's value is its type's postcard encoding. A declaration of another version (or of another
//! kind) does not see the cells written under the one before, and its first write makes them void.

use crate::StoreError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::marker::PhantomData;
use std::path::Path;

/// What the keys of a column mean. Written to disk: never reorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColumnKind {
    /// A cell for a URL.
    Page,
    /// A cell for a host, whose key is the id of its home page.
    Host,
    /// Many cells for a URL, told apart by a qualifier.
    Group,
    /// One cell for the whole collection.
    Single,
}

/// What a column is, without its type: for lists of columns.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    pub name: &'static str,
    pub version: u16,
    pub kind: ColumnKind,
    /// A value from its bytes, for people and other programs.
    pub show: ShowValue,
}

/// How a value is shown; none where the bytes are no value of the column.
type ShowValue = fn(&[u8]) -> Option<Value>;

fn show<T: DeserializeOwned + Serialize>(bytes: &[u8]) -> Option<Value> {
    serde_json::to_value(postcard::from_bytes::<T>(bytes).ok()?).ok()
}

impl Declaration {
    const fn of<T>(name: &'static str, version: u16, kind: ColumnKind) -> Declaration
    where
        T: DeserializeOwned + Serialize,
    {
        Declaration { name, version, kind, show: show::<T> }
    }
}

impl PartialEq for Declaration {
    /// Of the same name, version and kind.
    fn eq(&self, other: &Declaration) -> bool {
        let what = |one: &Declaration| (one.name, one.version, one.kind);
        what(self) == what(other)
    }
}

impl Eq for Declaration {}

/// A column of facts, one for a URL (or for a host).
#[derive(Debug)]
pub struct Column<T> {
    declaration: Declaration,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + Serialize> Column<T> {
    /// A column keyed by the ids of URLs.
    pub const fn new(name: &'static str, version: u16) -> Column<T> {
        let declaration = Declaration::of::<T>(name, version, ColumnKind::Page);
        Column { declaration, of: PhantomData }
    }

    /// A column keyed by hosts: a host's key is the id of its home page.
    pub const fn of_hosts(name: &'static str, version: u16) -> Column<T> {
        let declaration = Declaration::of::<T>(name, version, ColumnKind::Host);
        Column { declaration, of: PhantomData }
    }
}

impl<T> Column<T> {
    pub const fn declaration(&self) -> Declaration {
        self.declaration
    }

    /// The same column, whose values are shown in another way.
    #[must_use]
    pub const fn shown_by(mut self, show: ShowValue) -> Column<T> {
        self.declaration.show = show;
        self
    }
}

/// A column group such as `anchor:<source>`: for a URL any number of cells, each with a qualifier.
#[derive(Debug)]
pub struct ColumnGroup<T> {
    declaration: Declaration,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + Serialize> ColumnGroup<T> {
    pub const fn new(name: &'static str, version: u16) -> ColumnGroup<T> {
        let declaration = Declaration::of::<T>(name, version, ColumnKind::Group);
        ColumnGroup { declaration, of: PhantomData }
    }
}

impl<T> ColumnGroup<T> {
    pub const fn declaration(&self) -> Declaration {
        self.declaration
    }
}

/// One value of the whole collection.
#[derive(Debug)]
pub struct Single<T> {
    declaration: Declaration,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + Serialize> Single<T> {
    pub const fn new(name: &'static str, version: u16) -> Single<T> {
        let declaration = Declaration::of::<T>(name, version, ColumnKind::Single);
        Single { declaration, of: PhantomData }
    }
}

impl<T> Single<T> {
    pub const fn declaration(&self) -> Declaration {
        self.declaration
    }
}

/// A value from its bytes.
pub(super) fn decode<T: DeserializeOwned>(
    declaration: Declaration,
    bytes: &[u8],
    dir: &Path,
) -> Result<T, StoreError> {
    postcard::from_bytes(bytes).map_err(|_| {
        let Declaration { name, version, .. } = declaration;
        super::damaged(dir, &format!("a cell of {name} is no value of its version {version}"))
    })
}
