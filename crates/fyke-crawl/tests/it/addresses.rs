//! Hosts of one address are one burden, in the next run too.

use crate::web::{Shared, World};
use fyke_crawl::fetch::{Address, Failed, Outcome, Request};
use fyke_crawl::{Control, CrawlOptions, Fetch, crawl};
use fyke_web::Url;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

/// A web whose hosts all have one address.
struct OneAddress(Shared);

impl Fetch for OneAddress {
    async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        let key = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
        let sockets = vec![SocketAddr::new(key, url.port())];
        Ok(Address { sockets, key, ttl: Duration::from_secs(3_600) })
    }

    async fn fetch(&self, request: Request) -> Outcome {
        self.0.fetch(request).await
    }
}

async fn crawl_from(world: &World, seed: &str) {
    let seeds = vec![Url::parse(seed).expect("a URL")];
    let options = CrawlOptions { seeds, ..world.options.clone() };
    let web = OneAddress(world.web.clone());
    let done = crawl(&world.collection(), web, &options, &mut |_| (), Control::new()).await;
    done.expect("a crawl");
}

/// The last answer of the first run took 4 seconds: its address is left alone for 40.
#[tokio::test(start_paused = true)]
async fn the_gap_of_an_address_outlives_a_restart_for_all_its_hosts() {
    let web = "//- http://slow.test/robots.txt\n\n//- http://slow.test/ slow=4000\n<p>eel\n\
               //- http://other.test/\n<p>pike\n";
    let world = World::new(web, &[]);
    crawl_from(&world, "http://slow.test/").await;
    let asked = world.web.0.requests();
    let slow = asked.iter().find(|request| request.url == "http://slow.test/").expect("a request");
    crawl_from(&world, "http://other.test/").await;
    let others = world.web.0.requests();
    let first = others.iter().find(|request| request.url.contains("other.test")).expect("another");
    let gap = first.start - slow.end;
    assert!(gap >= Duration::from_secs(40), "{gap:?}");
    assert!(gap < Duration::from_secs(50), "{gap:?}");
}
