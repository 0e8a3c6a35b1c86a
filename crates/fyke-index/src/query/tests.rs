//! What is understood of which text, and that every description parses back.

use super::{MAX_BOUND, MAX_CLAUSES, Query};
use proptest::prelude::*;

fn check(text: &str, expected: &str) {
    let query = Query::parse(text);
    assert_eq!(query.describe(), expected, "{text:?}");
    assert_eq!(Query::parse(&query.describe()), query, "{text:?}");
}

#[test]
fn words_phrases_and_signs_are_understood() {
    check("wind turbines", "wind turbines");
    check("  Wind\t TURBINES\n", "wind turbines");
    check("\"wind turbine\" blade", "\"wind turbine\" blade");
    check("+wind -solar blade", "+wind -solar blade");
    check("-\"solar power\" wind", "-\"solar power\" wind");
    check("+\"solar power\"", "\"solar power\"");
    check("\"turbine\"", "\"turbine\"");
    check("title:wind title:\"solar power\"", "title:wind title:\"solar power\"");
    check("TITLE:Wind -title:old", "title:wind -title:old");
    check("site:A.test -site:b.a.test wind", "site:a.test -site:b.a.test wind");
    check("site:https://www.a.test:8400/x?y wind", "site:www.a.test wind");
    check("lang:SL wind", "lang:sl wind");
}

#[test]
fn odd_input_is_taken_leniently() {
    check("", "");
    check("   ", "");
    check("+ - \" ''", "");
    check("\"\"", "");
    check("\"\"\"\"\"", "");
    check("\"wind turbine", "\"wind turbine\"");
    check("wind\"solar power\"blade", "wind \"solar power\" blade");
    check("“wind turbine”", "\"wind turbine\"");
    check("„vetrna elektrarna“", "\"vetrna elektrarna\"");
    check("++solar +-x", "+solar +x");
    check("- wind", "wind");
    check("wind -", "wind");
    check("site: b.test", "site b-test");
    check("site:", "site");
    check("site:///", "");
    check("lang:\"\" wind", "wind");
    check("title:\"\" wind", "wind");
    check("title:... wind", "wind");
    check("nosuch:thing", "nosuch thing");
    check("wind wind WIND", "wind wind wind");
    check("-well-known fact", "-\"well known\" fact");
    check("well-known fact", "well-known fact");
    check("title:well-known", "title:\"well known\"");
    check("wind & (solar) | *", "wind solar");
}

#[test]
fn operators_bind_not_before_near_before_and_before_or_before_side_by_side() {
    check("wind AND turbine", "+wind +turbine");
    check("wind AND turbine AND sea", "+wind +turbine +sea");
    check("wind OR turbine", "wind OR turbine");
    check("wind OR turbine sea", "wind OR turbine sea");
    check("a1 AND b1 OR c1", "(+a1 +b1) OR c1");
    check("a1 OR b1 AND c1", "a1 OR (+b1 +c1)");
    check("wind NOT sea", "wind -sea");
    check("wind AND NOT sea", "+wind -sea");
    check("NOT NOT wind", "wind");
    check("wind OR NOT sea", "wind OR -sea");
    check("NOT (wind OR sea)", "-(wind OR sea)");
    check("NOT (wind AND sea)", "-(+wind +sea)");
    check("-(wind sea)", "-(wind sea)");
    check("+(wind sea) tide", "+(wind sea) tide");
    check("NOT -(wind sea) tide", "+(wind sea) tide");
    check("wind NEAR/5 turbine", "\"wind turbine\"~5");
    check("wind NEAR/3 turbine NEAR/4 sea OR tide", "\"wind turbine sea\"~4 OR tide");
    check("(wind OR sea) AND (tide OR power)", "wind OR sea tide OR power");
    check("(wind OR sea) site:a.test", "wind OR sea site:a.test");
    check("well-known AND fact", "\"well known\" +fact");
    check("東京都 OR tokyo", "\"東京 京都\" OR tokyo");
}

#[test]
fn brackets_that_say_nothing_are_left_out() {
    check("((wind))", "wind");
    check("(wind turbine)", "wind turbine");
    check("wind (turbine sea)", "wind turbine sea");
    check("(wind OR (sea OR tide))", "wind OR sea OR tide");
    check("wind OR wind", "+wind");
    check("(the wind) OR sea", "wind OR sea");
    check("f(x) wind", "f x wind");
    check("-f(x) wind", "-\"f x\" wind");
}

#[test]
fn what_is_broken_is_taken_as_it_was_probably_meant() {
    check("(wind OR sea", "wind OR sea");
    check("wind) OR sea", "wind OR sea");
    check("wind AND OR sea", "+wind +sea");
    check("AND wind", "wind");
    check("wind OR", "wind");
    check("(wind OR )", "wind");
    check("wind NOT", "wind");
    check("()", "");
    check("-() wind", "wind");
    check("wind and sea or not tide", "wind sea tide");
    check("wind NEAR/x sea", "wind near-x sea");
    check("wind NEAR/5", "wind near-5");
    check("wind NEAR/5 site:a.test", "wind site:a.test");
    check("\"wind sea\"~", "\"wind sea\"");
    check("\"wind\"~5", "\"wind\"");
    check("date:soon wind", "date soon wind");
    check("-date:soon wind", "-\"date soon\" wind");
    check("site:a(b wind", "site b wind");
}

#[test]
fn conditions_and_fields_have_names() {
    check("type:PDF filetype:htm type:text/html", "type:pdf type:html");
    check("date:2020..2024 date:>2021-05 -date:2023", "date:2020..2024 date:>2021-05 -date:2023");
    check("intitle:wind inurl:sea", "title:wind url:sea");
    check("url:http://a.test/wind_power", "url:\"a test wind power\"");
    check("inanchor:\"read this\" language:sl", "inanchor:\"read this\" lang:sl");
    check("site:a.test OR lang:sl wind", "site:a.test OR lang:sl wind");
}

#[test]
fn beginnings_and_nearness_are_understood() {
    check("turb*", "turb*");
    check("+Turb* -win*", "+turb* -win*");
    check("title:turb*", "title:turb*");
    check("wind-turb*", "wind turb*");
    check("a* *", "a");
    check("東*", "東*");
    check("aa* bb* cc* dd* ee* aa*", "aa* bb* cc* dd* ee aa*");
    check("\"turb*\"", "\"turb\"");
    check("\"wind turbine\"~5 -\"sea tide\"~999", "\"wind turbine\"~5 -\"sea tide\"~100");
}

#[test]
fn what_lies_too_deep_is_taken_as_words() {
    let deep = (0..40).fold("w40".to_owned(), |inner, n| format!("w{n} OR (x{n} AND -({inner}))"));
    let query = Query::parse(&deep);
    assert_eq!(Query::parse(&query.describe()), query);
    assert!(!query.describe().contains('('), "{}", query.describe());
    let open = Query::parse(&"(".repeat(5_000));
    assert!(open.is_empty());
}

#[test]
fn a_clause_that_speaks_for_a_document_anywhere_counts_for_it() {
    let query = Query::parse("(wind -sea) OR -(tide -moon) -wind site:a.test");
    let scored: Vec<_> = query.clauses().iter().filter(|c| c.is_scored()).collect();
    let words: Vec<_> = scored.iter().map(|clause| clause.words[0].as_str()).collect();
    assert_eq!(words, ["wind", "moon"]);
}

#[test]
fn stop_words_go_only_where_others_remain() {
    check("the wind of the sea", "wind sea");
    check("to be or not to be", "to be or not to be");
    check("\"to be or not to be\"", "\"to be or not to be\"");
    check("+the wind", "+the wind");
    check("the -wind", "the -wind");
    check("the site:a.test", "the site:a.test");
    check("title:the of", "title:the");
}

#[test]
fn length_is_bounded() {
    let many: String = (0..5_000).map(|n| format!("w{n} ")).collect();
    let query = Query::parse(&many);
    assert!((1_000..=MAX_CLAUSES).contains(&query.clauses().len()));
    assert_eq!(Query::parse(&query.describe()), query);
    let bound: String = (0..200).map(|n| format!("+w{n} ")).collect();
    assert_eq!(Query::parse(&bound).clauses().len(), MAX_BOUND);
    let phrase = Query::parse(&format!("\"{many}"));
    assert_eq!(phrase.clauses()[0].words.len(), 32);
}

#[test]
fn what_is_typed_in_one_piece_is_a_whole_with_its_parts() {
    let words = |text: &str, expected: &[&str]| {
        let query = Query::parse(text);
        assert_eq!(query.clauses().len(), 1, "{text}");
        assert_eq!(query.clauses()[0].words, expected, "{text}");
        check(text, &query.describe());
    };
    words("CMAKE_BUILD_TYPE", &["cmakebuildtype", "cmake", "build", "type"]);
    words("std::vector", &["stdvector", "std", "vector"]);
    words("os.path.join()", &["ospathjoin", "os", "path", "join"]);
    words("foo/bar", &["foobar", "foo", "bar"]);
    words("e-bay", &["ebay", "e", "bay"]);
    words("1.4.22", &["1.4.22", "1.4"]);
    words("ORA-00942", &["ora00942", "ora", "00942"]);
    words("--amend", &["-amend", "amend"]);
    check("std::vector<int>", "std-vector int");
    check("I.B.M. 3.14", "ibm 3.14");
}

#[test]
fn an_option_is_a_word_unless_other_operators_are_there() {
    check("git commit --amend", "git commit --amend");
    check("pg_dump -Fc", "pg-dump --fc");
    check("tar -x", "tar --x");
    check("cmake -DCMAKE_BUILD_TYPE=Release", "cmake --dcmake_build_type release");
    check("--wind sea", "--wind sea");
    // Two hyphens are an option whatever else is there, one is then a sign.
    check("\"git commit\" --amend", "\"git commit\" --amend");
    check("+tar -x", "+tar NOT x");
    check("tar -x OR zip", "tar NOT x OR zip");
    check("site:a.test -Fc", "site:a.test -fc");
    // What does not look like one forbids.
    check("turbine -jobs", "turbine -jobs");
    check("election -USA", "election -usa");
    check("Bank -Sparkasse", "bank -sparkasse");
    let known = |key: &str| key == "-exec";
    let knowing =
        |text: &str| Query::parse_knowing(text, &(&["en"][..]).into(), &[], &known).describe();
    assert_eq!(knowing("find -exec -jobs"), "find --exec -jobs");
    assert_eq!(knowing("+find -exec"), "+find -exec");
}

#[test]
fn what_is_left_out_is_told_with_the_query_that_does_not() {
    let left_out = |text: &str| {
        let left_out = Query::parse(text).left_out().into_iter();
        left_out.map(|out| (out.what, out.undo)).collect::<Vec<_>>()
    };
    let row = |what: &str, undo: &str| (what.to_owned(), undo.to_owned());
    assert_eq!(left_out("turbine -jobs"), [row("jobs", "turbine jobs")]);
    assert_eq!(
        left_out("+wind -\"old jobs\" NOT x"),
        [row("\"old jobs\"", "+wind NOT x"), row("x", "+wind -\"old jobs\" x")]
    );
    assert_eq!(left_out("wind -site:a.test"), [row("site:a.test", "wind")]);
    assert_eq!(left_out("wind -(sea OR tide)"), [row("(sea OR tide)", "wind")]);
    assert_eq!(left_out("git commit --amend"), []);
}

#[test]
fn words_to_mark_leave_out_what_is_not_wanted() {
    let query = Query::parse("\"wind turbine\" wind +blade -solar site:a.test");
    assert_eq!(query.words(), ["wind", "turbine", "blade"]);
}

proptest! {
    #[test]
    fn any_text_is_a_query_and_its_description_the_same_query(text in "\\PC{0,60}") {
        let query = Query::parse(&text);
        prop_assert_eq!(Query::parse(&query.describe()), query);
    }

    #[test]
    fn any_mix_of_operators_is_a_query(
        text in concat!(
                "(site:|lang:|title:|type:|date:|url:|inanchor:|2020|[.][.]| AND | OR |NOT ",
                "| NEAR/5 | the |[-+\" a-c.:#'東京()~*<>/5]){0,40}",
            ),
    ) {
        let query = Query::parse(&text);
        prop_assert_eq!(Query::parse(&query.describe()), query);
    }
}
