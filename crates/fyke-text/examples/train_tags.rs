//! Trains the tagger on files of a treebank in CoNLL-U: `train_tags OUT.bin TRAIN.conllu…`.

use fyke_text::tag::{TagTrainer, treebank};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let out = args.next().ok_or("to which file?")?;
    let mut trainer = TagTrainer::default();
    for path in args {
        treebank(&std::fs::read_to_string(path)?).for_each(|sentence| trainer.add(&sentence));
    }
    Ok(std::fs::write(out, trainer.finish().write())?)
}
