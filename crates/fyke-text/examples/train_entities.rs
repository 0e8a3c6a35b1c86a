//! Trains the recogniser of names on files of words and labels, a word and its label a line with a tab between, an
//! empty line between sentences: `train_entities OUT.bin SOURCE TRAIN.conll…`, where SOURCE says what is learnt from.

use fyke_text::entity::{EntityTrainer, labelled_sentences};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (out, source) = (args.next().ok_or("to which file?")?, args.next().ok_or("from what?")?);
    let mut trainer = EntityTrainer::default();
    for path in args {
        let text = std::fs::read_to_string(path)?;
        labelled_sentences(&text).iter().for_each(|one| trainer.add(&one.words, &one.labels));
    }
    Ok(std::fs::write(out, trainer.finish(&source).write())?)
}
