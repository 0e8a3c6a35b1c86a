//! What a row keeps beside its reason: what it is asked for as, and what the next visit will ask by.

use crate::web::World;
use fyke_store::{Reason, Row, RowKind};

const SITE: &str = r#"
//- http://a.test/robots.txt | Content-Type: text/plain
Sitemap: http://a.test/map.xml
//- http://a.test/ | ETag: "v1" | Last-Modified: Sat, 01 Jan 2028 00:00:00 GMT
<title>Home</title><p>Welcome to the pages of the tide mill. <a href=/gone>gone</a>
//- http://a.test/gone status=404 | ETag: "none"
Nothing here.
//- http://a.test/map.xml status=500
//- http://a.test/map.xml status=500
//- http://a.test/map.xml status=500
//- http://a.test/map.xml | Content-Type: text/xml
<urlset><url><loc>http://a.test/listed</loc></url></urlset>
//- http://a.test/listed
<title>Listed</title><p>A page that only the sitemap knows about.
"#;

fn world() -> World {
    World::new(SITE, &["http://a.test/"])
}

fn row(world: &World, path: &str) -> Row {
    let url = format!("http://a.test{path}");
    world.rows().into_iter().find(|row| row.url == url).expect("a row")
}

#[tokio::test(start_paused = true)]
async fn a_row_keeps_the_validators_and_the_visits_of_its_content() {
    let world = world();
    world.crawl().await;
    let home = row(&world, "/");
    assert_eq!(home.etag.as_deref(), Some("\"v1\""));
    assert_eq!(home.last_modified.as_deref(), Some("Sat, 01 Jan 2028 00:00:00 GMT"));
    assert_eq!((home.visits.len(), home.visited, home.changed), (1, 1, 1));
    assert_eq!(Some(home.visits[0].time), home.fetched);
    let gone = row(&world, "/gone");
    assert_eq!((gone.etag, gone.visited, gone.digest.is_some()), (None, 0, true));
    assert_eq!((gone.kind, home.kind), (RowKind::Page, RowKind::Page));
}

#[tokio::test(start_paused = true)]
async fn a_sitemap_that_could_not_be_had_stays_a_sitemap() {
    let world = world();
    world.crawl().await;
    let map = row(&world, "/map.xml");
    assert_eq!((map.kind, map.reason, map.visited), (RowKind::Sitemap, Reason::Http5xx, 0));
    world.crawl().await;
    let map = row(&world, "/map.xml");
    assert_eq!((map.kind, map.reason, map.visited), (RowKind::Sitemap, Reason::Type, 1));
    assert_eq!(row(&world, "/listed").reason, Reason::Kept);
}
