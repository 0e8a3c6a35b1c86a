//! Topics of a small world: three of them with words of their own, and words that all have.

use super::*;

/// Documents of topic `d % 3`: words 10·topic …, of which the first is its keyword in every fifth document
/// alone; words from 30 on are everybody's. Every fourth is of no topic.
fn world(documents: usize) -> (Bags, Vec<Option<usize>>) {
    let mut bags = Bags { words: 50, ..Bags::default() };
    let mut truth = Vec::new();
    for d in 0..documents {
        let topic = (d % 4 < 3).then_some(d / 4 % 3);
        let own = |n: usize| topic.map(|topic| (10 * topic + 1 + (d * 7 + n * 3) % 9) as u32);
        let mut words: Vec<_> = (0..4).filter_map(own).map(|word| (word, 1.)).collect();
        words.extend((0..5).map(|n| ((30 + (d * 5 + n * 7) % 20) as u32, 1.)));
        let keyword = topic.filter(|_| d % 5 == 0);
        words.extend(keyword.map(|topic| (10 * topic as u32, 1.)));
        bags.found.push(
            keyword
                .map(|topic| FoundKeyword { keyword: topic as u32, times: 1. })
                .into_iter()
                .collect(),
        );
        bags.documents.push(words);
        truth.push(topic);
    }
    (bags, truth)
}

/// Topics side by side.
fn flat(nodes: usize) -> Tree {
    Tree::new(vec![None; nodes]).unwrap()
}

fn keywords(nodes: [usize; 3]) -> Vec<Keyword> {
    (0..3).map(|k| Keyword { node: nodes[k as usize], words: vec![10 * k] }).collect()
}

#[test]
fn documents_find_their_topics_from_a_keyword_each() {
    let (bags, truth) = world(240);
    let model = train(&bags, &flat(3), &keywords([0, 1, 2]), TopicOptions::default());
    let placed = |document: &Vec<_>| model.topics(&model.shares(document)).first().map(|t| t.0);
    let right = bags.documents.iter().zip(&truth).filter(|(d, t)| t.is_some() && placed(d) == **t);
    assert!(right.count() >= 170, "of 180 with a topic");
    let without =
        bags.documents.iter().zip(&truth).filter(|(d, t)| t.is_none() && placed(d).is_none());
    assert!(without.count() >= 50, "of 60 without");
    assert!(model.agreement.iter().all(|agreement| *agreement > 0.6), "{:?}", model.agreement);
    assert!(model.typical[1].iter().take(5).all(|typical| typical.word / 10 == 1));
    assert!((0..3).all(|class| model.confusion[class][class] > 0.6), "{:?}", model.confusion);
}

#[test]
fn training_gives_the_same_model_every_time() {
    let (bags, _) = world(90);
    let train = || train(&bags, &flat(3), &keywords([0, 1, 2]), TopicOptions::default());
    assert_eq!(train(), train());
}

#[test]
fn a_document_between_two_topics_is_placed_above_them_and_one_between_all_nowhere() {
    let (bags, _) = world(240);
    let tree = Tree::new(vec![None, Some(0), Some(0), None]).unwrap();
    let model = train(&bags, &tree, &keywords([1, 2, 3]), TopicOptions::default());
    let check = |shares: [f64; 4], expected: &[usize]| {
        let topics: Vec<usize> = model.topics(&shares).iter().map(|topic| topic.0).collect();
        assert_eq!(topics, expected, "{shares:?}");
    };
    check([0., 0.9, 0., 0.], &[1]);
    check([0., 0.4, 0.4, 0.], &[0]);
    check([0., 0.6, 0.3, 0.], &[1, 2]);
    check([0., 0.35, 0.3, 0.3], &[0, 3]);
    check([0., 0.2, 0.2, 0.2], &[]);
    check([0., 0.0, 0.0, 0.0], &[]);
}

#[test]
fn nothing_is_learnt_from_nothing() {
    let model = train(&Bags::default(), &flat(1), &keywords([0, 0, 0]), TopicOptions::default());
    assert!(model.topics(&model.shares(&[(3, 1.)])).is_empty());
    let model = train(&Bags::default(), &Tree::default(), &[], TopicOptions::default());
    assert!(model.topics(&model.shares(&[])).is_empty());
}

#[test]
fn in_a_tree_of_one_level_shrinkage_is_naive_bayes_leaning_on_the_collection() {
    let (bags, _) = world(120);
    let labels = first_found(&bags.found, &[0, 1, 2], 3);
    let collection = CollectionWords::count(&bags.documents, bags.words);
    let counts = count(&bags.documents, &labels);
    let mut mixture = Mixture::new(&flat(3), &[0, 1, 2]);
    let shrunk = mixture.shrink(&counts, &collection, &bags.documents, &labels);
    for word in 0..50 {
        let share = collection.shares[word as usize];
        for class in 0..3 {
            let own = counts.row(word).get(class).copied().unwrap_or(0.) / counts.totals()[class];
            let [a, b, c] = mixture.weights[class][..] else { panic!("three levels") };
            let expected = ((a * own + b * share + c / 50.) / share).ln();
            assert!((f64::from(shrunk.ratios(word)[class]) - expected).abs() < 1e-4);
        }
    }
}
