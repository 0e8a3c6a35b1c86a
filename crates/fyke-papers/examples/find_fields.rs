//! Prints the references of a text, one a line, and with a model their fields: `find_fields TEXT [MODEL]`.

use fyke_papers::fields::fields;
use fyke_papers::split::{find, mark, split};
use fyke_text::sequence::SequenceModel;
use std::error::Error;
use std::io::Write as _;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let text = std::fs::read_to_string(args.next().ok_or("which text?")?)?;
    let bytes = args.next().map(std::fs::read).transpose()?;
    let model = bytes.map(|bytes| SequenceModel::read(&bytes)).transpose()?;
    let mut out = std::io::stdout().lock();
    for reference in split(find(&text).references) {
        let (mark, words) = mark(&reference);
        writeln!(out, "[{mark}] {words}")?;
        for part in model.iter().flat_map(|model| fields(model, words)) {
            writeln!(out, "    {}: {}", part.field, part.text)?;
        }
    }
    Ok(())
}
