//! Prints the weights that the references of a file teach:
//! `cargo run --release -p fyke-papers --example train_matching -- cora-all-id.xml`

use fyke_papers::matching::{cora, learn};
use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let file = std::env::args().nth(1).unwrap_or_default();
    let text = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
    let mut out = std::io::stdout();
    for weight in learn(&cora(&text)) {
        writeln!(out, "    {weight:.4},")?;
    }
    Ok(())
}
