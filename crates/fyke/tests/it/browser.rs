//! A person at a real browser (Chromium by its driver): searches, sees marked words, opens the cached
//! copy, on a narrow and a wide screen, in light and dark, and with hostile words.

use crate::pond_collection;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A program of ours, or the driver, ended with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program and waits for the line that says its port.
pub fn start(command: &mut Command, stream: &str, before_port: &str) -> (Running, u16) {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| {
        panic!("{command:?} does not start ({error}); run the tests with: cargo xtask test")
    });
    let lines: Box<dyn std::io::Read + Send> = match stream {
        "stdout" => Box::new(child.stdout.take().unwrap()),
        _ => Box::new(child.stderr.take().unwrap()),
    };
    let running = Running(child);
    let mut lines = BufReader::new(lines).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, rest) = line.split_once(before_port)?;
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
    });
    std::thread::spawn(move || lines.for_each(drop));
    (running, port.unwrap_or_else(|| panic!("{command:?} never said its port")))
}

/// Starts the browser's driver.
pub fn start_driver() -> (Running, u16) {
    let mut chromedriver = Command::new("chromedriver");
    start(chromedriver.arg("--port=0"), "stdout", "successfully on port ")
}

async fn browser(driver: u16, width: u32, dark: bool) -> Client {
    browser_with(driver, width, dark, json!({})).await
}

/// A browser with these preferences.
pub async fn browser_with(driver: u16, width: u32, dark: bool, preferences: Value) -> Client {
    let profile = tempfile::tempdir().unwrap().keep();
    let args = [
        "--headless".to_owned(),
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--no-first-run".to_owned(),
        format!("--user-data-dir={}", profile.display()),
        format!("--window-size={width},900"),
        format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)),
    ];
    // Windows of the browser do not get narrower than 500 px; a phone is emulated instead.
    let options = match width < 500 {
        true => json!({ "args": args, "prefs": preferences, "mobileEmulation":
            { "deviceMetrics": { "width": width, "height": 800, "pixelRatio": 1.0 } } }),
        false => json!({ "args": args, "prefs": preferences }),
    };
    let capabilities = json!({ "goog:chromeOptions": options });
    let Value::Object(capabilities) = capabilities else { unreachable!() };
    let client = ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities)
        .connect(&format!("http://127.0.0.1:{driver}"))
        .await;
    client.expect("the browser starts by its driver")
}

pub async fn text(client: &Client, css: &str) -> String {
    let wait = client.wait().at_most(Duration::from_secs(20));
    let found = wait.for_element(Locator::Css(css)).await;
    found.unwrap_or_else(|error| panic!("no {css}: {error}")).text().await.unwrap()
}

pub async fn script(client: &Client, code: &str) -> Value {
    client.execute(code, vec![]).await.unwrap()
}

/// The scripts of a page; one that stands in the page itself has no path.
const SCRIPTS: &str = "return [...document.scripts].map(script => script.getAttribute('src'))";

/// Types words into the box and sends them off by the Enter key.
async fn search(client: &Client, home: &str, words: &str) {
    client.goto(home).await.unwrap();
    let field = client.find(Locator::Css("input[name=q]")).await.unwrap();
    field.send_keys(words).await.unwrap();
    field.send_keys("\u{E007}").await.unwrap();
}

#[test]
fn a_person_searches_and_reads_a_cached_copy_in_a_real_browser() {
    // The crawl brings a runtime of its own, so it comes before this one.
    let collection = pond_collection();
    tokio::runtime::Runtime::new().unwrap().block_on(visit(collection.path()));
}

async fn visit(collection: &Path) {
    let mut fyke = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    fyke.arg("-C").arg(collection).args(["serve", "--bind", "127.0.0.1:0"]);
    let (_site, port) = start(&mut fyke, "stderr", "http://127.0.0.1:");
    let home = format!("http://127.0.0.1:{port}/");
    let (_driver, driver) = start_driver();

    let wide = browser(driver, 1400, false).await;
    a_search_marks_its_words(&wide, &home).await;
    a_cached_copy_marks_them_too(&wide).await;
    hostile_words_stay_words(&wide, &home).await;
    the_corpus_is_drawn(&wide, &home).await;
    let light = background(&wide).await;
    wide.close().await.unwrap();

    let narrow = browser(driver, 360, true).await;
    search(&narrow, &home, "tidal turbine").await;
    text(&narrow, "ol.hits li:first-child h2 a").await;
    for path in ["", "search?q=tidal+turbine", "corpus", "crawl", "why?url=http://directory.test/"]
    {
        narrow.goto(&format!("{home}{path}")).await.unwrap();
        let over =
            script(&narrow, "return document.documentElement.scrollWidth > innerWidth").await;
        assert_eq!(over, json!(false), "/{path} is wider than a screen of 360 px");
    }
    assert_ne!(background(&narrow).await, light, "dark looks like light");
    narrow.close().await.unwrap();
}

async fn the_corpus_is_drawn(client: &Client, home: &str) {
    client.goto(&format!("{home}corpus")).await.unwrap();
    assert_eq!(text(client, "h1").await, "The corpus");
    assert_eq!(script(client, SCRIPTS).await, json!(["/site.js"]));
    let drawn = script(client, "return document.querySelectorAll('.plots svg.plot').length").await;
    assert!(drawn.as_u64() >= Some(6), "{drawn} plots");
    let line = "return getComputedStyle(document.querySelector('.plot .line.c0')).stroke";
    let coloured = script(client, line).await;
    client.goto(&format!("{home}corpus/heaps.svg")).await.unwrap();
    assert_eq!(script(client, line).await, coloured, "a plot alone looks as on the page");
    client.goto(&format!("{home}api/v1/corpus/laws")).await.unwrap();
    assert!(text(client, "body").await.contains("\"heaps\":{\"beta\":0."));
    client.goto(home).await.unwrap();
}

async fn background(client: &Client) -> Value {
    script(client, "return getComputedStyle(document.body).backgroundColor").await
}

async fn a_search_marks_its_words(client: &Client, home: &str) {
    search(client, home, "tidal turbine").await;
    let count = text(client, ".count").await;
    assert!(count.contains("result") && count.contains("ms"), "{count}");
    let marked = text(client, "ol.hits li:first-child p mark").await.to_lowercase();
    assert!(marked.starts_with("tid") || marked.starts_with("turbine"), "{marked}");
    assert_eq!(script(client, SCRIPTS).await, json!(["/site.js"]));
}

async fn a_cached_copy_marks_them_too(client: &Client) {
    let link = client.find(Locator::LinkText("cached copy")).await.unwrap();
    link.click().await.unwrap();
    assert!(text(client, ".note").await.starts_with("Copy of http://"));
    let frame = client.find(Locator::Css("iframe")).await.unwrap();
    assert_eq!(frame.attr("sandbox").await.unwrap().as_deref(), Some("allow-popups"));
    frame.enter_frame().await.unwrap();
    let marked = text(client, "mark").await.to_lowercase();
    assert!(marked.starts_with("tid") || marked.starts_with("turbine"), "{marked}");
    client.enter_parent_frame().await.unwrap();
}

async fn hostile_words_stay_words(client: &Client, home: &str) {
    let words = "<img src=x onerror=alert(1)> \"</title><script>alert(2)</script>";
    search(client, home, words).await;
    text(client, ".count").await;
    assert!(client.get_alert_text().await.is_err(), "a script ran");
    let kept = client.find(Locator::Css("input[name=q]")).await.unwrap();
    assert_eq!(kept.prop("value").await.unwrap().as_deref(), Some(words));
    assert_eq!(script(client, "return document.images.length").await, json!(0));
}
