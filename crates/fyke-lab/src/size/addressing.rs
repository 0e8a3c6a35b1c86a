//! Random addresses (001 "Random IP addresses") on an address space of this machine, as a pond has one: a server
//! found there is read to the end from its root, and a few of its pages are looked for in both engines.

use super::{SizeWorld, SizedPage, StrongQuery, normal, presence};
use fyke_learn::size::{AddressFound, EngineSide, ServerPages};
use fyke_learn::terms::Dice;
use fyke_web::Url;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Pages of a server that are looked for in the engines.
const LOOKED_FOR: usize = 20;

/// What stands at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressAnswer {
    Empty,
    /// Only with a password.
    Closed,
    /// robots.txt forbids it.
    Excluded,
    /// The roots of the servers there.
    Servers(Vec<String>),
}

/// Which addresses are drawn.
#[derive(Clone, Copy, Debug)]
pub struct AddressSpace<'l> {
    pub strong: StrongQuery<'l>,
    /// Addresses that there are, and that are drawn.
    pub addresses: u64,
    pub drawn: u64,
    /// Pages of a server that are read at most.
    pub pages: usize,
    pub seed: u64,
}

/// Draws addresses, each once, and reads what stands there.
///
/// # Errors
/// When an engine gives no answer; what was found before stands in `found`.
pub fn visit_addresses(
    world: &mut dyn SizeWorld,
    space: AddressSpace<'_>,
    found: &mut Vec<AddressFound>,
    observe: &mut dyn FnMut(usize) -> bool,
) -> anyhow::Result<()> {
    let mut dice = Dice::new(space.seed ^ 0xADD2);
    let mut addresses: Vec<u64> = (0..space.addresses).collect();
    let mut state = dice.bits();
    fyke_learn::shuffle::shuffle(&mut addresses, &mut state);
    addresses.truncate(usize::try_from(space.drawn).unwrap_or(usize::MAX));
    for (done, at) in addresses.into_iter().enumerate() {
        if !observe(done) {
            break;
        }
        let servers = match world.address(at)? {
            AddressAnswer::Empty => vec![AddressFound::Empty],
            AddressAnswer::Closed => vec![AddressFound::Closed],
            AddressAnswer::Excluded => vec![AddressFound::Excluded],
            AddressAnswer::Servers(roots) => {
                let mut pages = ServerPages::default();
                for root in roots {
                    read(world, &root, (space, &mut dice), &mut pages)?;
                }
                vec![AddressFound::Server(pages)]
            }
        };
        found.extend(servers);
    }
    Ok(())
}

/// Reads a server from its root.
fn read(
    world: &mut dyn SizeWorld,
    root: &str,
    (space, dice): (AddressSpace<'_>, &mut Dice),
    server: &mut ServerPages,
) -> anyhow::Result<()> {
    let Ok(home) = Url::parse(root) else { return Ok(()) };
    let mut known = BTreeSet::from([normal(root)]);
    let mut coming = VecDeque::from([root.to_owned()]);
    let mut pages: Vec<(String, Arc<SizedPage>)> = Vec::new();
    let mut ends = BTreeSet::new();
    while let Some(url) = coming.pop_front() {
        if pages.len() >= space.pages {
            server.is_cut = true;
            break;
        }
        let Some(page) = world.page(&url)? else { continue };
        if pages.is_empty() {
            server.has_meta |= page.has_meta;
            server.has_dublin_core |= page.has_dublin_core;
        }
        let is_own = |url: &str| Url::parse(url).is_ok_and(|u| u.authority() == home.authority());
        for link in page.links.iter().filter(|link| is_own(link)) {
            if known.insert(normal(link)) {
                coming.push_back(link.clone());
            }
        }
        if is_own(&page.url) && ends.insert(normal(&page.url)) {
            pages.push((url, page));
        }
    }
    server.pages += pages.len() as u32;
    let mut state = dice.bits();
    let all = pages.len() as f64;
    fyke_learn::shuffle::shuffle(&mut pages, &mut state);
    pages.truncate(LOOKED_FOR);
    let mut there = [0_u32; 2];
    for (url, page) in &pages {
        for (count, side) in there.iter_mut().zip(EngineSide::BOTH) {
            let found = presence(world, side, (url, page), space.strong)?;
            *count += u32::from(found.counts(&[]));
        }
    }
    let carried = |count: u32| (f64::from(count) * all / pages.len().max(1) as f64).round() as u32;
    server.first += carried(there[0]);
    server.second += carried(there[1]);
    Ok(())
}
