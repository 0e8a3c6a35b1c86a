//! Random addresses (001, after Lawrence and Giles): addresses are drawn, servers found there are read to the
//! end, and what they have is carried over to all addresses. Empty, closed and excluded ones are told apart.

use super::interval::{PowerProduct, SampledRows, share_interval};
use super::{
    AddressFound, NoSize, ServerPages, SizeBias, SizeEvidence, SizeFigure, SizeMethod, SizeQuantity,
};

/// Fewer servers say nothing.
const FEWEST: usize = 5;

pub(super) const RAW: SizeMethod = SizeMethod {
    name: "addresses-raw",
    what: "a page of each server found at a random address: every server counts alike",
    quantity: SizeQuantity::Ratio,
    is_raw: true,
    biases: &[SizeBias::PowerLaw, SizeBias::Sharing, SizeBias::Operation],
    estimate: |evidence| {
        let share = |some: u32, server: &ServerPages| f64::from(some) / f64::from(server.pages);
        let row =
            |server: &ServerPages| [share(server.first, server), share(server.second, server), 0.0];
        ratio(evidence, servers(evidence).filter(|server| server.pages > 0).map(row).collect())
    },
};

pub(super) const CORRECTED: SizeMethod = SizeMethod {
    name: "addresses",
    what: "all pages of the servers at random addresses: every page counts alike",
    quantity: SizeQuantity::Ratio,
    is_raw: false,
    biases: &[SizeBias::Sharing, SizeBias::PowerLaw, SizeBias::Operation],
    estimate: |evidence| {
        let row = |server: &ServerPages| [f64::from(server.first), f64::from(server.second), 0.0];
        ratio(evidence, servers(evidence).map(row).collect())
    },
};

pub(super) const WEB: SizeMethod = SizeMethod {
    name: "addresses-web",
    what: "all pages of the address space: addresses × share with a server × pages of a server",
    quantity: SizeQuantity::Web,
    is_raw: false,
    biases: &[SizeBias::Sharing, SizeBias::PowerLaw],
    estimate: |evidence| {
        let row = |found: &AddressFound| match found {
            AddressFound::Server(server) => [f64::from(server.pages), 1.0, 0.0],
            _ => [0.0, 1.0, 0.0],
        };
        enough(evidence)?;
        figure(evidence, evidence.addresses.iter().map(row).collect(), evidence.space)
    },
};

fn servers(evidence: &SizeEvidence) -> impl Iterator<Item = &ServerPages> {
    evidence.addresses.iter().filter_map(|found| match found {
        AddressFound::Server(server) => Some(server),
        _ => None,
    })
}

fn enough(evidence: &SizeEvidence) -> Result<(), NoSize> {
    match servers(evidence).count() {
        _ if evidence.addresses.is_empty() => Err(NoSize::NotAsked),
        few if few < FEWEST => Err(NoSize::FewDrawn),
        _ => Ok(()),
    }
}

fn ratio(evidence: &SizeEvidence, rows: Vec<[f64; 3]>) -> Result<SizeFigure, NoSize> {
    enough(evidence)?;
    figure(evidence, rows, 1.0)
}

fn figure(evidence: &SizeEvidence, rows: Vec<[f64; 3]>, factor: f64) -> Result<SizeFigure, NoSize> {
    let sample = SampledRows { rows, powers: [1.0, -1.0, 0.0] };
    PowerProduct { samples: vec![sample], factor }.figure(evidence.seed)
}

/// What the addresses were, each share with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct AddressShares {
    pub drawn: u64,
    pub empty: u64,
    pub closed: u64,
    pub excluded: u64,
    pub servers: u64,
    pub pages: u64,
    /// Servers that were not read to the end.
    pub cut: u64,
    /// Servers whose home page has keywords or a description (001: 34 %); and Dublin Core (0.3 %).
    pub meta: Option<[f64; 3]>,
    pub dublin_core: Option<[f64; 3]>,
}

/// What stood at the addresses that were drawn.
#[must_use]
pub fn address_shares(addresses: &[AddressFound]) -> AddressShares {
    let count =
        |is: fn(&AddressFound) -> bool| addresses.iter().filter(|one| is(one)).count() as u64;
    let with = |is: fn(&ServerPages) -> bool| {
        let has = |one: &&AddressFound| matches!(one, AddressFound::Server(server) if is(server));
        addresses.iter().filter(has).count() as u64
    };
    let servers = with(|_| true);
    let pages = addresses.iter().map(|one| match one {
        AddressFound::Server(server) => u64::from(server.pages),
        _ => 0,
    });
    AddressShares {
        drawn: addresses.len() as u64,
        empty: count(|one| *one == AddressFound::Empty),
        closed: count(|one| *one == AddressFound::Closed),
        excluded: count(|one| *one == AddressFound::Excluded),
        servers,
        pages: pages.sum(),
        cut: with(|server| server.is_cut),
        meta: share_interval(with(|server| server.has_meta), servers),
        dublin_core: share_interval(with(|server| server.has_dublin_core), servers),
    }
}

/// Servers of a whole address space, where a share of the addresses drawn had one.
#[must_use]
pub fn servers_in_all(space: f64, shares: &AddressShares) -> Option<[f64; 3]> {
    Some(share_interval(shares.servers, shares.drawn)?.map(|share| share * space))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(pages: u32, first: u32, second: u32) -> AddressFound {
        AddressFound::Server(ServerPages { pages, first, second, ..ServerPages::default() })
    }

    #[test]
    fn one_large_site_counts_by_its_pages() {
        // Nine small sites that both have, and a large one of which B has a tenth.
        let mut addresses = vec![server(10, 10, 10); 9];
        addresses.push(server(1_000, 1_000, 100));
        addresses.extend([AddressFound::Empty; 30]);
        let evidence = SizeEvidence { addresses, space: 4_000.0, ..SizeEvidence::default() };
        let value = |row: &SizeMethod| (row.estimate)(&evidence).expect("a figure").value;
        assert!((value(&RAW) - 10.0 / 9.1).abs() < 1e-9);
        assert!((value(&CORRECTED) - 1_090.0 / 190.0).abs() < 1e-9);
        assert!((value(&WEB) - 4_000.0 * 1_090.0 / 40.0).abs() < 1e-6);
    }

    #[test]
    fn what_addresses_are_is_told_apart_in_the_form_of_the_source() {
        let mut addresses = vec![AddressFound::Empty; 50];
        addresses.extend([AddressFound::Closed, AddressFound::Excluded, AddressFound::Excluded]);
        for at in 0..1_000 {
            let server = ServerPages {
                pages: 2,
                has_meta: at < 340,
                has_dublin_core: at < 3,
                ..ServerPages::default()
            };
            addresses.push(AddressFound::Server(server));
        }
        let shares = address_shares(&addresses);
        assert_eq!((shares.empty, shares.closed, shares.excluded), (50, 1, 2));
        assert_eq!((shares.servers, shares.pages), (1_000, 2_000));
        let [meta, low, high] = shares.meta.unwrap();
        assert!((meta - 0.34).abs() < 1e-9 && low < 0.34 && high > 0.34);
        assert!((shares.dublin_core.unwrap()[0] - 0.003).abs() < 1e-9);
        // 2.8 of 16 million addresses, as 001 has it: 17.5 % of those that were looked at.
        let source = AddressShares { drawn: 1_000, servers: 175, ..shares };
        let [all, ..] = servers_in_all(16e6, &source).unwrap();
        assert!((all - 2.8e6).abs() < 1.0);
    }
}
