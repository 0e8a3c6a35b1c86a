//! Filters: how the bytes of a stream are packed (ISO 32000-1 §7.4). A row each. Damaged streams
//! give what could be read of them; pictures give nothing.

mod ascii;
mod flate;
mod lzw;
mod predictor;
mod run_length;

use super::fuel::Fuel;
use super::object::{Dict, Object};

/// Filters of one stream after each other.
const MOST_FILTERS: usize = 6;

/// Unpacks at most so many bytes.
type UnpackStream = fn(&[u8], &DecodeParameters, usize) -> Vec<u8>;

/// Every filter with its short name, which inline images use.
const FILTERS: &[(&str, &str, UnpackStream)] = &[
    ("FlateDecode", "Fl", flate::unpack),
    ("LZWDecode", "LZW", lzw::unpack),
    ("ASCII85Decode", "A85", ascii::base85),
    ("ASCIIHexDecode", "AHx", ascii::hexadecimal),
    ("RunLengthDecode", "RL", run_length::unpack),
    ("Crypt", "Crypt", |bytes, _, most| bytes[..bytes.len().min(most)].to_vec()),
];

/// What `/DecodeParms` may say.
#[derive(Clone, Copy, Debug)]
struct DecodeParameters {
    predictor: usize,
    colours: usize,
    bits: usize,
    columns: usize,
    early_change: bool,
}

impl DecodeParameters {
    fn new(dict: Option<&Dict>, resolve: &dyn Fn(&Object) -> Object) -> Self {
        let read = |key: &str, default: usize| {
            dict.and_then(|dict| resolve(dict.get(key)).count()).unwrap_or(default)
        };
        Self {
            predictor: read("Predictor", 1),
            colours: read("Colors", 1),
            bits: read("BitsPerComponent", 8),
            columns: read("Columns", 1),
            early_change: read("EarlyChange", 1) != 0,
        }
    }
}

/// A single object, or the first members of an array.
fn list(object: &Object) -> Vec<Object> {
    match object {
        Object::Null => Vec::new(),
        Object::Array(members) => members.iter().take(MOST_FILTERS).cloned().collect(),
        single => vec![single.clone()],
    }
}

/// Undoes the filters of a stream with this dictionary.
pub(super) fn unpack(
    packed: &[u8],
    dict: &Dict,
    resolve: &dyn Fn(&Object) -> Object,
    fuel: &Fuel,
) -> Vec<u8> {
    let filters = list(&resolve(dict.get("Filter")));
    let parameters = list(&resolve(dict.get("DecodeParms")));
    let room = fuel.room();
    let mut bytes = None;
    for (position, filter) in filters.iter().enumerate() {
        let filter = resolve(filter);
        let wanted = filter.name().unwrap_or_default();
        let is_wanted =
            |long: &str, short: &str| [long.as_bytes(), short.as_bytes()].contains(&wanted);
        let Some(row) = FILTERS.iter().find(|row| is_wanted(row.0, row.1)) else {
            return Vec::new();
        };
        let own = parameters.get(position).map(resolve);
        let own = own.as_ref().and_then(Object::dict);
        let own = DecodeParameters::new(own.map(|dict| &**dict), resolve);
        let input = bytes.as_deref().unwrap_or(packed);
        // What a filter reads is paid too: it need not give anything.
        if !fuel.spend(1 + input.len() / 8) {
            return Vec::new();
        }
        let unpacked = (row.2)(input, &own, room);
        fuel.unpacked(unpacked.len());
        bytes = Some(unpacked);
    }
    bytes.unwrap_or_else(|| {
        let plain = &packed[..packed.len().min(room)];
        fuel.unpacked(plain.len());
        plain.to_vec()
    })
}
