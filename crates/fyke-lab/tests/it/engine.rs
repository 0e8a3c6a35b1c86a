//! What engines do wrong is found out and told.

use crate::small_web::{Manner, SmallWeb, two_languages};
use fyke_lab::engine::{
    AnswerStore, EngineAddress, EngineManners, EngineTrouble, KnownEngine, ProbeWords,
};
use fyke_stages::config::{Config, load};

/// Settings for this machine, and these.
pub fn settings(more: &[&str]) -> Config {
    let local =
        ["seeds.urls=[\"http://127.0.0.1/\"]", "politeness.floor=0s", "politeness.factor=0"];
    let sets: Vec<String> = local.iter().chain(more).map(|set| (*set).to_owned()).collect();
    load(None, std::iter::empty(), &sets).expect("settings").config
}

pub async fn engine(web: &SmallWeb, folder: &std::path::Path, quota: Option<u64>) -> KnownEngine {
    let address = EngineAddress {
        from: format!("{}/search?q={{query}}", web.address),
        ..EngineAddress::default()
    };
    let answers = AnswerStore::open(&folder.join("answers.jsonl")).expect("a file");
    let engine = address.open(&settings(&[])).await.expect("an engine");
    KnownEngine { engine, name: address.name(), answers, quota }
}

async fn probed(manner: Manner) -> anyhow::Result<EngineManners> {
    let web = SmallWeb::start(two_languages(20), manner);
    let folder = tempfile::tempdir()?;
    let mut engine = engine(&web, folder.path(), None).await;
    engine.probe(ProbeWords(&["nowhere", "blima"]), 1).await
}

#[tokio::test]
async fn a_few_queries_tell_what_an_engine_does_with_signs() {
    let good = EngineManners::OWN;
    assert_eq!(probed(Manner::Good).await.unwrap(), good);
    assert_eq!(probed(Manner::NoMinus).await.unwrap(), EngineManners { minus: false, ..good });
    let any = probed(Manner::AnyWord).await.unwrap();
    assert!(!any.all_words && any.answers);
    assert_eq!(probed(Manner::Repeats).await.unwrap(), EngineManners { repeats: true, ..good });
    assert!(!probed(Manner::Silent).await.unwrap().answers);
}

#[tokio::test]
async fn trouble_with_an_engine_has_a_name() {
    let trouble = async |manner| {
        let error = probed(manner).await.unwrap_err();
        EngineTrouble::of(&error).cloned().unwrap_or_else(|| panic!("{error:#}"))
    };
    assert!(matches!(trouble(Manner::HtmlErrors(1)).await, EngineTrouble::Unreadable(_)));
    let busy = trouble(Manner::Limited(1, "9999")).await;
    assert!(matches!(busy, EngineTrouble::Busy { status: 429, wait } if wait.as_secs() == 9999));
    assert!(matches!(trouble(Manner::Dies(1)).await, EngineTrouble::Dead(_)));
}

#[tokio::test]
async fn a_moments_trouble_is_waited_for() {
    assert_eq!(probed(Manner::Stutters(3)).await.unwrap(), EngineManners::OWN);
}

#[tokio::test]
async fn a_known_query_costs_nothing_and_a_quota_holds_for_the_others() {
    let web = SmallWeb::start(two_languages(20), Manner::Good);
    let folder = tempfile::tempdir().unwrap();
    let mut first = engine(&web, folder.path(), Some(2)).await;
    let (hits, was_known) = first.ask("+blima", 10, 5).await.unwrap();
    assert!(!hits.is_empty() && !was_known);
    drop(first);
    let mut again = engine(&web, folder.path(), Some(2)).await;
    assert_eq!(again.ask("+blima", 10, 6).await.unwrap(), (hits, true));
    again.ask("+blamo", 10, 6).await.unwrap();
    let error = again.ask("+bloma", 10, 7).await.unwrap_err();
    assert_eq!(EngineTrouble::of(&error), Some(&EngineTrouble::Quota(2)));
    let a_day_later = 6 + 24 * 3_600 * 1_000;
    again.ask("+bloma", 10, a_day_later).await.unwrap();
    assert_eq!(web.queries().len(), 3);
}
