//! Queries and what they find, in which order, shown how.

use fyke_index::{Entry, Index, Query, Ranker, SearchOptions};
use proptest::prelude::*;

use crate::corpus::{corpus, each, shown};

const ENERGY: &str = "
    1 wind.test en Wind turbines: A wind turbine turns wind into power
    2 sun.test en Solar cells: Solar cells turn light into power, without wind
    3 www.wind.test en Blades: The blades of turbines are long; the wind in the village is not
    4 sea.test en Tides: To be or not to be near the sea is what tidal power asks
    5 veter.test sl Veter: Vetrna elektrarna in veter
    6 tokyo.test ja 東京: 東京都の風力発電
";

#[test]
fn words_that_any_link_or_url_has_do_not_count_there_unless_asked_for_there() {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let mut writer = index.writer().unwrap();
    let entry =
        Entry { id: 1, url: "http://a.test/index", anchors: "click here", ..Entry::default() };
    writer.put(&Entry { body: "carp", ..entry }).unwrap();
    writer.put(&Entry { id: 2, body: "click the index here", ..Entry::default() }).unwrap();
    writer.commit("").unwrap();
    let check = |query: &str, expected: &[u64]| {
        let found = index.search(&index.query(query), &SearchOptions::default()).unwrap();
        assert_eq!(found.hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), expected, "{query}");
    };
    check("click", &[2]);
    check("index", &[2]);
    check("inanchor:click", &[1]);
    check("url:index", &[1]);
}

#[test]
fn the_document_with_all_words_in_its_title_comes_first() {
    let energy = corpus(ENERGY);
    energy.check("wind turbine", &[1, 3, 2]);
    energy.check("turbine wind", &[1, 3, 2]);
    energy.check("solar wind", &[2, 1, 3]);
}

#[test]
fn a_word_is_found_in_its_other_forms_where_its_language_has_a_stemmer() {
    let energy = corpus(ENERGY);
    energy.check("turbines", &[1, 3]);
    energy.check("TURBINE", &[1, 3]);
    energy.check("\"turbine\"", &[1]);
    energy.check("veters", &[]);
    energy.check("veter", &[5]);
}

#[test]
fn a_document_matches_by_itself_what_a_search_would_find_it_by() {
    let energy = corpus(ENERGY);
    let words = ["wind", "turbines", "\"into power\"", "veters", "京", "title:tides", "sea"];
    let conditions = ["", "-solar", "+power", "site:wind.test", "-site:www.wind.test", "lang:en"];
    for word in words.iter().chain(&[""]) {
        for condition in conditions {
            let query = format!("{word} {condition}");
            let mut hits: Vec<u64> = energy.hits(&query).iter().map(|hit| hit.id).collect();
            hits.sort_unstable();
            let (parsed, mut alone) = (Query::parse(&query), Vec::new());
            each(ENERGY, |entry| alone.extend(parsed.matches(entry).then_some(entry.id)));
            assert_eq!(alone, hits, "{query}");
        }
    }
}

#[test]
fn the_form_that_was_typed_comes_before_others() {
    let pond = corpus("1 a.test en x: the nets here\n 2 a.test en x: the net here");
    pond.check("net", &[2, 1]);
    pond.check("nets", &[1, 2]);
}

#[test]
fn other_forms_count_in_documents_of_their_language() {
    let houses = corpus(
        "1 a.test de x: viele Häuser hier\n 2 a.test en x: many Häuser here\n \
         3 a.test en x: a tale of a town\n 4 a.test pl x: między kobietami\n \
         5 a.test nn x: store havnedistriktene\n 6 a.test und x: the towns of old men",
    );
    houses.check("haus", &[1]);
    houses.check("kobieta", &[4]);
    houses.check("havnedistrikt", &[5]);
    houses.check("town", &[3, 6]);
    let query = Query::parse_in("haus", &["de"]);
    let hits = houses.index.search(&query, &SearchOptions::default()).unwrap().hits;
    assert_eq!(shown(&hits[0].snippet), "viele [Häuser] hier");
}

#[test]
fn an_address_is_found_as_a_whole_and_by_its_parts() {
    let people = corpus(
        "1 a.test en x: write to anna.k@mail.example.org today\n \
         2 a.test en x: anna writes mail by example\n",
    );
    people.check("anna.k@mail.example.org", &[1]);
    people.check("mail.example.org", &[1, 2]);
    people.check("anna", &[2, 1]);
}

#[test]
fn diacritics_are_an_alternative_and_what_was_typed_comes_first() {
    let cafes = corpus("1 a.test fr x: le café noir\n 2 a.test sl x: cafe in kava");
    cafes.check("cafe", &[2, 1]);
    cafes.check("café", &[1, 2]);
    cafes.check("\"cafe\"", &[2]);
}

#[test]
fn stop_words_are_those_of_the_query_s_languages_and_never_all_of_it() {
    let check = |text: &str, languages: &[&'static str], expected: &str| {
        assert_eq!(Query::parse_in(text, languages).describe(), expected, "{text}");
    };
    check("die Häuser in Berlin", &["de"], "häuser berlin");
    check("die hard", &["en"], "die hard");
    check("veter in morje", &["sl"], "veter morje");
    check("to be or not to be", &["en"], "to be or not to be");
}

#[test]
fn the_stemmer_and_the_stop_list_are_those_that_were_chosen() {
    let text = "1 a.test en x: marketing tides\n 2 a.test en x: markets tide\n 3 a.test en x: the";
    let check = |stemmer: &str, query: &str, expected: &[u64]| {
        let mut rules = fyke_text::WordRules::default();
        rules.choose_stemmer("en", stemmer).unwrap();
        rules.choose_stop_words("en", "tide").unwrap();
        let mut corpus = corpus(text);
        corpus.index = corpus.index.searched_by(rules);
        corpus.check(query, expected);
        assert_eq!(corpus.index.query("the tide market").describe(), "the market");
    };
    check("porter2", "market", &[1, 2]);
    check("krovetz", "market", &[2]);
    check("krovetz", "tides", &[1, 2]);
    check("suffix-s", "market", &[2]);
    check("none", "market", &[]);
    check("none", "tide", &[2]);
    check("none", "the", &[3]);
    let explain = SearchOptions { explain: true, ..SearchOptions::default() };
    let mut rules = fyke_text::WordRules::default();
    rules.choose_stemmer("en", "krovetz").unwrap();
    let corpus = corpus(text);
    let index = corpus.index.searched_by(rules);
    let told = index.search(&index.query("tide"), &explain).unwrap().words;
    assert!(told[0].starts_with("en: stemmer krovetz, "), "{told:?}");
}

#[test]
fn the_languages_of_a_third_of_the_documents_are_those_of_queries() {
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(corpus(text).index.languages().unwrap(), expected, "{text}");
    };
    check("", &["en"]);
    check("1 a.test sl x: veter\n 2 a.test sl x: morje\n 3 a.test de x: wind", &["sl", "de"]);
    check(ENERGY, &["en"]);
}

#[test]
fn a_phrase_is_found_where_its_words_stand_together() {
    let energy = corpus(ENERGY);
    energy.check("\"wind turbine\"", &[1]);
    energy.check("\"turbine wind\"", &[]);
    energy.check("\"into power\"", &[1, 2]);
    energy.check("power -\"into power\"", &[4]);
    energy.check("\"to be or not to be\"", &[4]);
    energy.check("\"power asks nothing\"", &[]);
}

#[test]
fn signs_ask_for_and_forbid() {
    let energy = corpus(ENERGY);
    energy.check("+solar wind", &[2]);
    energy.check("wind -solar", &[1, 3]);
    energy.check("wind -blade", &[1, 2]);
    energy.check("+wind +nosuchword", &[]);
    energy.check("power -wind -sea", &[]);
}

#[test]
fn conditions_narrow_the_hits() {
    let energy = corpus(ENERGY);
    energy.check("wind site:wind.test", &[1, 3]);
    energy.check("wind site:www.wind.test", &[3]);
    energy.check("wind -site:www.wind.test", &[1, 2]);
    energy.check("wind site:sun.test site:www.wind.test", &[3, 2]);
    energy.check("site:WIND.test", &[1, 3]);
    energy.check("site:ind.test", &[]);
    energy.check("lang:sl", &[5]);
    energy.check("lang:sl lang:ja", &[5, 6]);
    energy.check("wind lang:sl", &[]);
    energy.check("title:turbines", &[1]);
    energy.check("title:blade wind", &[3]);
    energy.check("wind -title:turbine", &[3, 2]);
    energy.check("-wind -veter", &[4, 6]);
}

#[test]
fn a_query_of_stop_words_finds_them() {
    let energy = corpus(ENERGY);
    energy.check("to be", &[4]);
    energy.check("the", &[3, 4]);
}

#[test]
fn pairs_of_characters_find_texts_without_spaces() {
    let energy = corpus(ENERGY);
    energy.check("東京", &[6]);
    energy.check("風力", &[6]);
    energy.check("\"東京都の風力\"", &[6]);
    energy.check("風", &[6]);
    energy.check("\"都東\"", &[]);
}

#[test]
fn equal_scores_stand_by_id() {
    let text: String =
        [7, 3, 9, 1, 5].map(|id| format!("{id} a.test en same: same words\n")).concat();
    let same = corpus(&text);
    same.check("words", &[1, 3, 5, 7, 9]);
    same.check("site:a.test", &[1, 3, 5, 7, 9]);
}

#[test]
fn words_near_each_other_come_before_words_apart() {
    let near = corpus(
        "1 a.test en x: river one two three four five six seven eight nine net ten
         2 a.test en x: one two three four five six seven river net eight nine ten",
    );
    near.check("river net", &[2, 1]);
}

#[test]
fn the_words_of_headings_anchors_and_url_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let mut writer = index.writer().unwrap();
    let page = Entry { body: "plain text", language: "en", time: -7, ..Entry::default() };
    writer.put(&Entry { id: 1, headings: "Eels", ..page }).unwrap();
    writer.put(&Entry { id: 2, anchors: "all about eels", ..page }).unwrap();
    let url = "http://a.test/fish/eel-traps";
    writer.put(&Entry { id: 3, url, ..page }).unwrap();
    writer.commit("").unwrap();
    let results = index.search(&Query::parse("eels"), &SearchOptions::default()).unwrap();
    let mut found: Vec<_> = results.hits.iter().map(|hit| (hit.id, hit.url.as_str())).collect();
    found.sort_unstable();
    assert_eq!(found, [(1, ""), (2, ""), (3, url)]);
    assert_eq!(results.hits[0].time, -7);
}

#[test]
fn a_hit_shows_title_and_snippet_with_the_words_marked() {
    let hits = corpus(ENERGY).hits("turbine wind");
    assert_eq!(shown(&hits[0].title_fragments), "[Wind] [turbines]");
    assert_eq!(shown(&hits[0].snippet), "A [wind] [turbine] turns [wind] into power");
    assert_eq!((&*hits[0].host, &*hits[0].language), ("wind.test", "en"));
    assert_eq!(hits[0].url, "http://wind.test/1");
}

#[test]
fn an_explanation_sums_up_to_the_score() {
    let energy = corpus(ENERGY);
    for hit in energy.hits("turbine blade wind \"into power\" power") {
        let sum: f32 = hit.explain.iter().map(|(_, amount)| amount).sum();
        assert!((sum - hit.score).abs() < 1e-3, "{hit:?}");
    }
    let names: Vec<String> =
        energy.hits("solar wind")[1].explain.iter().map(|e| e.0.clone()).collect();
    assert_eq!(names[..4], ["wind in title", "wind in body", "wind in url", "words missing"]);
}

#[test]
fn pages_of_hits_follow_each_other() {
    let text: String = (0..50).map(|id| format!("{id} a.test en x: eel\n")).collect();
    let many = corpus(&text);
    let page = |offset, limit| {
        let options = SearchOptions { offset, limit, ..SearchOptions::default() };
        let results = many.index.search(&Query::parse("eel"), &options).unwrap();
        assert_eq!(results.total, 50);
        results.hits.iter().map(|hit| hit.id).collect::<Vec<_>>()
    };
    assert_eq!(page(0, 10), (0..10).collect::<Vec<_>>());
    assert_eq!(page(10, 10), (10..20).collect::<Vec<_>>());
    assert_eq!(page(45, 10), (45..50).collect::<Vec<_>>());
    assert_eq!(page(usize::MAX, usize::MAX), Vec::<u64>::new());
    assert_eq!(page(0, 0), Vec::<u64>::new());
}

#[test]
fn an_empty_query_and_an_empty_index_find_nothing() {
    corpus(ENERGY).check(" \" + ", &[]);
    corpus("").check("wind", &[]);
    corpus("").check("-wind", &[]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn any_text_can_be_searched(
        queries in proptest::collection::vec(
            concat!(
                "(site:|lang:|title:|type:|date:|date:20|url:|inanchor:| AND | OR | NOT | NEAR/2 ",
                "|wind|turbine|東|[-+\" ()*~]|\\PC){0,30}",
            ),
            20,
        ),
    ) {
        let energy = hostile();
        for query in &queries {
            let options = SearchOptions { explain: true, ..SearchOptions::default() };
            let results = energy.search(&Query::parse(query), &options).unwrap();
            prop_assert!(results.hits.is_sorted_by(|a, b| a.score >= b.score), "{}", query);
        }
    }
}

/// One index for all the queries of the property.
fn hostile() -> &'static Index {
    static INDEX: std::sync::OnceLock<crate::corpus::Corpus> = std::sync::OnceLock::new();
    &INDEX.get_or_init(|| corpus(ENERGY)).index
}

#[test]
fn a_hit_says_on_which_page_its_words_stand() {
    let dir = tempfile::tempdir().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let mut writer = index.writer().unwrap();
    let body = format!("the eel\n{}\nthe pike", "reeds in the water ".repeat(20_000));
    let last = u32::try_from(body.len() - 8).unwrap();
    let pages = [0, 8, last];
    writer.put(&Entry { id: 1, body: &body, pages: &pages, ..Entry::default() }).unwrap();
    writer.put(&Entry { id: 2, body: "the perch", ..Entry::default() }).unwrap();
    writer.commit("").unwrap();
    let check = |query: &str, expected: Option<u32>| {
        let results = index.search(&Query::parse(query), &SearchOptions::default()).unwrap();
        assert_eq!(results.hits[0].page, expected, "{query}");
    };
    check("eel", Some(1));
    check("reeds", Some(2));
    check("pike", Some(3));
    check("perch", None);
}

#[test]
fn another_ranker_ranks_otherwise_and_finds_the_same() {
    let corpus = corpus(
        "1 a.test en eel: the river
         2 a.test en fish: eel eel eel and the trap for an eel eel
         3 a.test en weir: the eel with no gate but yet far away some trap",
    );
    let found = |query: &str, ranker: &str| {
        let weights = Ranker::parse(ranker).unwrap().weights;
        let options = SearchOptions { explain: true, weights, ..SearchOptions::default() };
        let hits = corpus.index.search(&Query::parse(query), &options).unwrap().hits;
        for hit in &hits {
            let sum: f32 = hit.explain.iter().map(|(_, amount)| amount).sum();
            assert!((sum - hit.score).abs() < 1e-3, "{ranker}: {hit:?}");
        }
        hits.iter().map(|hit| hit.id).collect::<Vec<_>>()
    };
    assert_eq!(found("eel", "title=50"), [1, 2, 3]);
    assert_eq!(found("eel", "flat title=0.01 names=0.01 whole-name=0 title-coverage=0"), [2, 3, 1]);
    let named = |query: &str, ranker: &str, part: &str| {
        let weights = Ranker::parse(ranker).unwrap().weights;
        let options = SearchOptions { explain: true, weights, ..SearchOptions::default() };
        let hits = corpus.index.search(&Query::parse(query), &options).unwrap().hits;
        hits.iter().flat_map(|hit| &hit.explain).any(|(name, _)| name == part)
    };
    assert!(named("eel trap", "standard", "nearness"));
    assert!(!named("eel trap", "no-nearness", "nearness"));
}

/// 001 "Simplest forms": maui resort maui resort maui resort.
#[test]
fn a_page_that_repeats_the_query_comes_after_one_that_speaks_of_it() {
    let honest = "1 hotel.test en The Maui resort guide: Maui has many a resort by the sea. On the west coast of \
                  Maui the sun shines most days, and each resort has a beach of its own; families like the north of \
                  Maui, where a resort is cheaper";
    let others: String = (10..60)
        .map(|n| format!("{n} sea.test en Fish {n}: The fish of sea number {n} swim by night, far from any shore\n"))
        .collect();
    let check = |stuffed: &str| {
        let web = corpus(&format!("{honest}\n2 spam.test en {stuffed}\n{others}"));
        for query in ["maui resort", "maui", "resort maui", "maui resorts"] {
            assert_eq!(web.hits(query)[0].id, 1, "{query}: {}", &stuffed[..60.min(stuffed.len())]);
        }
    };
    check(&format!("Welcome: {}", "maui resort ".repeat(400)));
    check(&format!("Maui resort maui resort maui resort: {}", "maui resort ".repeat(400)));
    check(&format!("Best: {}", "maui maui maui resort resort ".repeat(20)));
    let among: String = (0..300).map(|n| format!("maui word{n} resort ")).collect();
    check(&format!("Best: {among}"));
}
