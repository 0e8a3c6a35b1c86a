//! The search pages in a real browser: suggestions, facets, pages, cached copy, similar documents and
//! the reasons of a rank, with scripts and without, on a narrow and a wide screen.

use crate::browser::{browser_with, script, start_driver, text};
use crate::pond_collection;
use crate::site_api::site;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use std::time::Duration;

const ENTER: &str = "\u{E007}";
const DOWN: &str = "\u{E015}";

#[test]
fn a_person_finds_their_way_with_and_without_scripts_on_any_screen() {
    let collection = pond_collection();
    let (_site, port) = site(collection.path());
    let home = format!("http://127.0.0.1:{port}/");
    let (_driver, driver) = start_driver();
    let off = json!({ "profile.managed_default_content_settings.javascript": 2 });
    let screens = [(1400, false, json!({})), (360, true, json!({})), (360, false, off)];
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        for (width, is_dark, preferences) in screens {
            let has_scripts = preferences == json!({});
            let client = browser_with(driver, width, is_dark, preferences).await;
            let person = Person { client, home: home.clone(), has_scripts };
            if has_scripts {
                person.takes_a_suggestion().await;
                person.goes_by_keys().await;
            }
            person.narrows_and_widens().await;
            person.turns_pages().await;
            person.looks_behind_a_hit().await;
            person.types_a_url().await;
            person.client.close().await.unwrap();
        }
    });
}

/// Somebody at a browser.
struct Person {
    client: Client,
    home: String,
    has_scripts: bool,
}

impl Person {
    async fn goes(&self, path: &str) {
        self.client.goto(&format!("{}{path}", self.home)).await.unwrap();
        let over = "return document.documentElement.scrollWidth > innerWidth";
        assert_eq!(script(&self.client, over).await, json!(false), "/{path} is too wide");
    }

    async fn sees(&self, css: &str) -> String {
        text(&self.client, css).await
    }

    /// Follows a link; the driver waits until the next page is there. Without scripts it cannot click.
    async fn follows(&self, css: &str) {
        let link = self.client.find(Locator::Css(css)).await;
        let link = link.unwrap_or_else(|error| panic!("no {css}: {error}"));
        if self.has_scripts {
            return link.click().await.unwrap();
        }
        let path = link.attr("href").await.unwrap().unwrap();
        self.goes(&path[1..]).await;
    }

    async fn count(&self) -> u64 {
        let count = self.sees(".count").await;
        let digits: String = count.chars().take_while(|c| !c.is_alphabetic()).collect();
        digits.replace(',', "").trim().parse().unwrap()
    }

    async fn takes_a_suggestion(&self) {
        self.goes("").await;
        let field = self.client.find(Locator::Css("input[name=q]")).await.unwrap();
        field.send_keys("tid").await.unwrap();
        let first = self.sees("#suggestions li").await;
        assert!(first.to_lowercase().contains("tid"), "{first}");
        field.send_keys(DOWN).await.unwrap();
        assert_eq!(field.prop("value").await.unwrap().as_deref(), Some(&*first));
        assert_eq!(self.sees("#suggestions li[aria-selected=true]").await, first);
        field.send_keys(ENTER).await.unwrap();
        assert!(self.count().await > 0);
        let kept = self.client.find(Locator::Css("input[name=q]")).await.unwrap();
        assert_eq!(kept.prop("value").await.unwrap().as_deref(), Some(&*first));
    }

    async fn goes_by_keys(&self) {
        self.goes("search?q=tidal+turbine").await;
        let focused = "return document.activeElement.name ?? document.activeElement.tagName";
        let press = async |key: &str| {
            self.client.active_element().await.unwrap().send_keys(key).await.unwrap();
        };
        press("/").await;
        assert_eq!(script(&self.client, focused).await, json!("q"));
        script(&self.client, "document.activeElement.blur()").await;
        press("j").await;
        press("j").await;
        let place = "return [...document.querySelectorAll('.hits h2 a')]\
            .indexOf(document.activeElement)";
        assert_eq!(script(&self.client, place).await, json!(1));
        press("k").await;
        assert_eq!(script(&self.client, place).await, json!(0));
    }

    async fn narrows_and_widens(&self) {
        self.goes("search?q=tidal+turbine").await;
        let all = self.count().await;
        let host = self.sees(".facets li a").await;
        let told = self.sees(".facets li span").await.replace(',', "").parse::<u64>().unwrap();
        self.follows(".facets li a").await;
        assert_eq!(self.sees(".chips li a").await, format!("site:{host} ×"));
        assert_eq!(self.count().await, told, "a facet counts what it leads to");
        assert!(told < all);
        self.follows(".chips li a").await;
        assert_eq!(self.count().await, all);
        let within = self.client.find(Locator::Css("form.within input[name=also]")).await.unwrap();
        if self.has_scripts {
            within.send_keys("lagoon").await.unwrap();
            within.send_keys(ENTER).await.unwrap();
        } else {
            self.goes("search?q=tidal+turbine&also=lagoon").await;
        }
        let narrowed = "//input[@name='q' and @value='tidal turbine +lagoon']";
        let wait = self.client.wait().at_most(Duration::from_secs(20));
        wait.for_element(Locator::XPath(narrowed)).await.unwrap();
        assert!((1..all).contains(&self.count().await));
    }

    async fn turns_pages(&self) {
        self.goes("search?q=tidal+turbine").await;
        let first = self.sees(".hits li h2").await;
        assert_eq!(self.sees(".pages [aria-current]").await, "1");
        self.follows(".pages a[rel=next]").await;
        assert_eq!(self.sees(".pages [aria-current]").await, "2");
        assert_ne!(self.sees(".hits li h2").await, first);
        assert!(self.sees(".count").await.contains("from 11"));
        self.follows(".pages a[rel=prev]").await;
        assert_eq!(self.sees(".hits li h2").await, first);
    }

    async fn looks_behind_a_hit(&self) {
        self.goes("search?q=tidal+turbine").await;
        let summary = self.client.find(Locator::Css(".hits details summary")).await.unwrap();
        let told = "return document.querySelector('.hits details p').textContent";
        let told = script(&self.client, told).await;
        let score: f64 = after(told.as_str().unwrap(), "why this rank: ");
        let amounts = "return [...document.querySelector('.hits .bars').rows]\
            .map(row => Number(row.cells[1].textContent)).reduce((a, b) => a + b)";
        let sum = script(&self.client, amounts).await.as_f64().unwrap();
        assert!((sum - score).abs() < 0.02, "{sum} is not {score}");
        if self.has_scripts {
            summary.click().await.unwrap();
            self.sees_bars().await;
        }
        self.follows(".hits .more a[href^='/similar/']").await;
        assert!(self.sees("h1").await.starts_with("Documents like"));
        self.follows("h1 a").await;
        self.sees("div.text").await;
        self.goes("search?q=tidal+turbine").await;
        self.follows(".hits .more a[href^='/cached/']").await;
        let frame = self.client.find(Locator::Css("iframe")).await.unwrap();
        frame.enter_frame().await.unwrap();
        let marked = self.sees("mark").await.to_lowercase();
        assert!(marked.starts_with("tid") || marked.starts_with("turbine"), "{marked}");
        self.client.enter_parent_frame().await.unwrap();
    }

    async fn sees_bars(&self) {
        let widths = "return [...document.querySelectorAll('.hits details[open] rect')]\
            .map(rect => rect.getBoundingClientRect().width)";
        let widths = script(&self.client, widths).await;
        assert!(widths.as_array().unwrap().iter().any(|width| width.as_f64() > Some(20.0)));
    }

    async fn types_a_url(&self) {
        self.goes("search?q=http://directory.test/").await;
        assert!(self.sees(".typed").await.contains("in the collection"));
        let link = self.client.find(Locator::Css(".typed h2 a")).await.unwrap();
        let url = link.attr("href").await.unwrap();
        assert_eq!(url.as_deref(), Some("http://directory.test/"));
        self.goes("search?q=never.test/x").await;
        assert!(self.sees(".typed").await.contains("not in the collection"));
        assert_eq!(script(&self.client, "return document.images.length").await, Value::from(0));
    }
}

/// The number after some words.
fn after(text: &str, words: &str) -> f64 {
    let rest = text.split_once(words).unwrap_or_else(|| panic!("no {words:?} in {text:?}")).1;
    rest.trim().parse().unwrap()
}
