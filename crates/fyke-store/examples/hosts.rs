//! Measures counting hosts: `cargo run --release -p fyke-store --example hosts -- FOLDER [HOSTS BYTES]`, each
//! host with a robots.txt of so many bytes. The folder must not exist; it is left behind, to be measured
//! again without the numbers.

#![allow(clippy::print_stdout, reason = "its figures are its result")]

use fyke_store::{Collection, HostRow, RobotsCopy, StoreError};
use std::path::Path;
use std::time::Instant;

fn name(n: u64) -> String {
    format!("host{n}.example.test")
}

fn fill(root: &Path, hosts: u64, bytes: usize) -> Result<(), StoreError> {
    std::fs::create_dir(root).expect("a folder that does not exist");
    std::fs::write(root.join("fyke.toml"), "").expect("a folder that can be written");
    let collection = Collection::open(root)?;
    for n in 0..hosts {
        let body = format!("# {n}\n").into_bytes().into_iter().cycle().take(bytes).collect();
        let robots = Some(RobotsCopy { fetched: 1, status: 200, body });
        let row = HostRow { robots, pages: n % 3, ..HostRow::default() };
        collection.ledger.put_host(&name(n), &row)?;
        if n % 500 == 499 {
            collection.sync()?;
        }
    }
    collection.settle()
}

fn measure(what: &str, count: impl FnOnce() -> Result<usize, StoreError>) {
    let start = Instant::now();
    let count = count().expect("the store works");
    println!("{what:40} {count:>8} hosts {:9.1} ms", start.elapsed().as_secs_f64() * 1e3);
}

fn main() -> Result<(), StoreError> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().expect("a folder as first argument");
    let root = Path::new(&folder);
    let mut number = || args.next().and_then(|n| n.parse::<u64>().ok());
    if let (Some(hosts), Some(bytes)) = (number(), number()) {
        fill(root, hosts, bytes as usize)?;
    }
    let collection = Collection::open(root)?;
    let ledger = &collection.ledger;
    for _ in 0..3 {
        measure("hosts fetched from", || {
            let mut count = 0;
            for host in ledger.hosts() {
                count += usize::from(host?.1.pages > 0);
            }
            Ok(count)
        });
    }
    Ok(())
}
