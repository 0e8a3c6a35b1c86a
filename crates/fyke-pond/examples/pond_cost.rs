//! What a page costs the pond: `cargo run --release --example pond_cost -p fyke-pond`.

use std::hint::black_box;
use std::time::Instant;

use fyke_pond::plain::{Plain, PlainPlace, PlainShape};
use fyke_pond::{Ask, Hazards, Pond, Size, plan, sites};

fn main() {
    let pond = Pond::new(7, Size::default(), Hazards::default());
    let mut asks = Vec::new();
    for host in plan::hosts(&pond) {
        asks.extend(sites::paths(&pond, &host).map(|path| (host.name.clone(), path)));
    }
    let (mut bytes, mut pages) = (0, 0);
    let mut start = Instant::now();
    for round in 0..20 {
        if round == 1 {
            (bytes, pages, start) = (0, 0, Instant::now());
        }
        for (host, path) in &asks {
            let answer = black_box(pond.answer(&Ask::get(host, path)));
            if let fyke_pond::Body::Bytes(body) = answer.body {
                bytes += body.len();
            }
            pages += 1;
        }
    }
    let micros = start.elapsed().as_secs_f64() * 1e6 / pages as f64;
    let count = asks.len();
    eprintln!("{count} pages, {} bytes a page, {micros:.1} µs a page", bytes / pages);
    plain();
}

/// The same for the plain web.
fn plain() {
    let (hosts, pages) = (100, 100_000);
    let shape = PlainShape { seed: 7, hosts, pages, links: 50, bytes: 30_000, one_host: false };
    let (plain, mut bytes, start) = (Plain::new(shape), 0, Instant::now());
    for number in 0..20_000 {
        let mut out = Vec::with_capacity(50_000);
        plain.write(PlainPlace { host: number % hosts, page: number / hosts }, &mut out);
        bytes += black_box(out).len();
    }
    let micros = start.elapsed().as_secs_f64() * 1e6 / 20_000.0;
    eprintln!("plain: {} bytes a page, {micros:.1} µs a page", bytes / 20_000);
}
