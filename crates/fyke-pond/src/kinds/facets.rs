//! A shop with facets: every choice of colour, size, brand and order is a URL of the same list, and so is each of its
//! pages. The products stand in it many times over.

use super::{KindPage, SiteKind, document, html, item, list, number, split, text, title, value};
use std::fmt::Write as _;

const PRODUCTS: usize = 400;
const PER_PAGE: usize = 20;
const SITE: &str = "shop.kinds.test";
const FACETS: [(&str, &[&str]); 4] = [
    ("colour", &["red", "green", "blue", "grey", "brown"]),
    ("size", &["small", "middle", "large", "huge"]),
    ("brand", &["alder", "birch", "cedar", "elm", "fir"]),
    ("sort", &["price", "name", "newest"]),
];

pub(super) const ROW: SiteKind = SiteKind {
    name: "shop",
    host: SITE,
    what: "400 products in lists of twenty; five colours, four sizes, five brands and three orders may be chosen at once, \
           and each choice has its pages.",
    documents: PRODUCTS,
    most_requests: 1_300,
    page,
};

fn page(asked: &str) -> Option<KindPage> {
    let (path, query) = split(asked);
    if path == "/" || path == "/list" {
        return listing(query);
    }
    let product: usize = path.strip_prefix("/product/")?.parse().ok()?;
    (product < PRODUCTS).then_some(())?;
    let near = item(&format!("/product/{}", (product * 7 + 1) % PRODUCTS), "Others bought this");
    let main =
        format!("<p>{}</p><p>{}</p>{near}", text(SITE, product, 1), text(SITE, product + 900, 6));
    document(product, html(SITE, &title(SITE, product), &main))
}

/// Whether a product has what was chosen.
fn has(product: usize, query: &str) -> bool {
    let choices = [product % 5, product / 5 % 4, product / 3 % 5];
    FACETS.iter().zip(choices).all(|((name, values), has)| {
        value(query, name).is_none_or(|chosen| values.get(has) == Some(&chosen))
    })
}

fn listing(query: &str) -> Option<KindPage> {
    let page = number(query, "page").unwrap_or(1).max(1);
    let mut products: Vec<usize> = (0..PRODUCTS).filter(|product| has(*product, query)).collect();
    match value(query, "sort") {
        Some("price") => products.sort_by_key(|product| product * 31 % 211),
        Some("name") => products.sort_by_key(|product| title(SITE, *product)),
        Some("newest") => products.reverse(),
        _ => {}
    }
    let mut rows = String::new();
    for product in products.iter().skip((page - 1).saturating_mul(PER_PAGE)).take(PER_PAGE) {
        rows += &item(&format!("/product/{product}"), &title(SITE, *product));
        let _ = writeln!(rows, "<p>{}</p>", text(SITE, *product, 1));
    }
    for (name, values) in FACETS {
        for chosen in values {
            rows += &item(&format!("/list?{}", with(query, name, chosen)), chosen);
        }
    }
    if page.saturating_mul(PER_PAGE) < products.len() {
        rows += &item(&format!("/list?{}", with(query, "page", &(page + 1).to_string())), "Next");
    }
    let count = products.len();
    list(html(SITE, "The shop", &format!("<i>{count} products</i><ul>{rows}</ul>")))
}

/// The query with one more choice; another list begins with its first page.
fn with(query: &str, name: &str, chosen: &str) -> String {
    let is_kept = |pair: &&str| {
        let of = pair.split('=').next().unwrap_or("");
        !of.is_empty() && of != name && of != "page"
    };
    let mut pairs: Vec<String> = query.split('&').filter(is_kept).map(str::to_owned).collect();
    pairs.push(format!("{name}={chosen}"));
    pairs.join("&")
}
