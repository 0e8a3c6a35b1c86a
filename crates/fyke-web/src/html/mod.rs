//! HTML, read by a scanner of our own: tags, text and character references in one linear pass,
//! without a tree. Held to the WHATWG tokenizer's rules where links and text depend on them.

mod attribute;
mod near;
mod raw;
mod reference;
mod scan;

pub use attribute::Attributes;
pub(crate) use reference::fold_into;
pub use reference::{folded, text_of, value_of};
pub use scan::{HtmlToken, Scanner, Tag, TagName, name};
