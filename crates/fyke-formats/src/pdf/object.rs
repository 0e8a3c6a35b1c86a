//! The objects a PDF file is made of (ISO 32000-1 §7.3). Cheap to clone: the large ones are shared.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// What an object is called in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ObjectId {
    pub(super) number: u32,
    pub(super) generation: u16,
}

/// A value; what it refers to is resolved by [`super::file::File`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Object {
    #[default]
    Null,
    Bool(bool),
    Integer(i64),
    Real(f64),
    Name(Rc<[u8]>),
    Text(Rc<[u8]>),
    Array(Rc<Vec<Object>>),
    Dict(Rc<Dict>),
    Stream(Rc<PdfStream>),
    /// The number of an object elsewhere in the file.
    Reference(u32),
}

/// A stream: its dictionary and where its packed bytes stand in the file.
#[derive(Debug, PartialEq)]
pub(super) struct PdfStream {
    pub(super) dict: Rc<Dict>,
    pub(super) range: Range<usize>,
    /// Number and generation of its object, which its encryption depends on.
    pub(super) id: ObjectId,
}

/// Names with their objects.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Dict(BTreeMap<Rc<[u8]>, Object>);

impl Dict {
    /// The entry as it is written, `Null` when it is missing.
    pub(super) fn get(&self, key: &str) -> &Object {
        self.entry(key.as_bytes())
    }

    pub(super) fn entry(&self, key: &[u8]) -> &Object {
        self.0.get(key).unwrap_or(&Object::Null)
    }

    /// A later entry of the same name wins.
    pub(super) fn insert(&mut self, key: Rc<[u8]>, value: Object) {
        self.0.insert(key, value);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Rc<[u8]>, &Object)> {
        self.0.iter()
    }

    /// Whether `/Type` is `name`.
    pub(super) fn is(&self, name: &str) -> bool {
        self.get("Type").name() == Some(name.as_bytes())
    }
}

impl Object {
    pub(super) fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            Self::Real(value) => Some(*value as i64),
            _ => None,
        }
    }

    /// A whole number from 0 to what a `usize` holds.
    pub(super) fn count(&self) -> Option<usize> {
        usize::try_from(self.integer()?).ok()
    }

    pub(super) fn number(&self) -> Option<f32> {
        match self {
            Self::Integer(value) => Some(*value as f32),
            Self::Real(value) => Some(*value as f32),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> Option<&[u8]> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }

    pub(super) fn text(&self) -> Option<&[u8]> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The members of an array, none for anything else.
    pub(super) fn array(&self) -> &[Object] {
        if let Self::Array(array) = self { array } else { &[] }
    }

    /// A dictionary, or that of a stream.
    pub(super) fn dict(&self) -> Option<&Rc<Dict>> {
        match self {
            Self::Dict(dict) => Some(dict),
            Self::Stream(stream) => Some(&stream.dict),
            _ => None,
        }
    }

    pub(super) fn stream(&self) -> Option<&Rc<PdfStream>> {
        if let Self::Stream(stream) = self { Some(stream) } else { None }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}
