//! The models that ship, and those of a user's own. What they were learnt from: `data/README.md`.

use fyke_text::sequence::SequenceModel;
use std::sync::LazyLock;

/// One model for headers and one for references.
#[derive(Clone, Debug)]
pub struct PaperModels {
    pub headers: SequenceModel,
    pub references: SequenceModel,
}

static HEADERS: &[u8] = include_bytes!("../data/headers.bin");
static REFERENCES: &[u8] = include_bytes!("../data/references.bin");

static SHIPPED: LazyLock<PaperModels> = LazyLock::new(|| PaperModels {
    headers: SequenceModel::read(HEADERS).expect("the shipped model of headers is whole"),
    references: SequenceModel::read(REFERENCES).expect("the shipped model of references is whole"),
});

/// What a model finds fields of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    Headers,
    References,
}

impl PaperModels {
    /// The models that ship, read at their first use.
    #[must_use]
    pub fn shipped() -> &'static PaperModels {
        &SHIPPED
    }

    /// Puts a model in the place of the one of its kind, and says of which kind it is.
    pub fn replace(&mut self, model: SequenceModel) -> ModelKind {
        let kind = kind(&model);
        match kind {
            ModelKind::Headers => self.headers = model,
            ModelKind::References => self.references = model,
        }
        kind
    }
}

/// Of which kind a model is: the fields of headers have an abstract or an affiliation among them, those of references
/// have not.
fn kind(model: &SequenceModel) -> ModelKind {
    let has = |name: &str| model.labels().iter().any(|label| label == name);
    if has("abstract") || has("affiliation") { ModelKind::Headers } else { ModelKind::References }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_that_ship_are_small_and_say_what_they_learnt() {
        let models = PaperModels::shipped();
        for (bytes, model) in [(HEADERS, &models.headers), (REFERENCES, &models.references)] {
            assert!(bytes.len() <= 2 << 20 && model.learnt_from().contains("Cora"));
        }
        assert_eq!(kind(&models.headers), ModelKind::Headers);
        assert_eq!(kind(&models.references), ModelKind::References);
    }

    #[test]
    fn a_model_takes_the_place_of_its_kind() {
        let mut models = PaperModels::shipped().clone();
        let references = models.references.clone();
        assert_eq!(models.replace(references), ModelKind::References);
    }
}
