//! Trains a model of fields from a tagged file of headers or references: `train_fields OUT.bin FILE WHAT-IT-IS`.

use fyke_papers::fields::{Example, full, train};
use fyke_papers::tagged;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (out, path) = args.next().zip(args.next()).ok_or("to which file, and from which?")?;
    let source = args.next().unwrap_or_else(|| path.clone());
    let file = std::fs::read_to_string(&path)?;
    let texts = match tagged::holds_headers(&file) {
        true => tagged::headers(&file),
        false => tagged::references(&file),
    };
    let examples: Vec<Example<'_>> = texts.iter().map(full).collect();
    let source = format!("{} texts of {source}", examples.len());
    Ok(std::fs::write(out, train(&examples, &source).write())?)
}
