//! Which addresses lie inside: no link or redirect of the web may lead a crawler there.

use crate::politeness::is_loopback;
use std::net::{IpAddr, Ipv4Addr};

/// Endings of names that only an inner network answers for (RFC 6761, 6762, 8375, 9476, and those that
/// ICANN keeps out of the root because so many use them inside).
const INSIDE: [&str; 9] =
    ["localhost", "local", "internal", "home.arpa", "lan", "intranet", "corp", "home", "private"];

/// Which addresses that lie inside may be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Private {
    #[default]
    Refused,
    /// Those of this machine alone.
    Loopback,
    Open,
}

impl Private {
    /// Whether an address may be reached.
    #[must_use]
    pub fn admits(self, ip: IpAddr) -> bool {
        match self {
            Private::Refused => !is_private(ip),
            Private::Loopback => is_loopback(ip) || !is_private(ip),
            Private::Open => true,
        }
    }
}

/// Whether an address lies inside: loopback, private, link-local, shared, reserved, multicast, and
/// the IPv6 forms that carry such an IPv4 address.
#[must_use]
pub fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_private_v4(ip),
        IpAddr::V6(ip) => is_private_v6(ip.segments()),
    }
}

fn is_private_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let special = a == 192 && b == 0 && c == 0 || a == 198 && (b == 18 || b == 19);
    let reserved = a == 0 || a >= 224;
    let inside = ip.is_loopback() || ip.is_private() || ip.is_link_local();
    inside || shared || special || reserved || ip.is_documentation()
}

fn is_private_v6(segments: [u16; 8]) -> bool {
    let [a, b, c, d, e, f, g, h] = segments;
    let carries = |high: u16, low: u16| {
        is_private_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
    };
    match (a, b, c, d, e, f) {
        // ::1, compatible and mapped addresses.
        (0, 0, 0, 0, 0, 0xffff | 0) => carries(g, h) || (f, g, h) == (0, 0, 1),
        // Translated addresses and NAT64.
        (0, 0, 0, 0, 0xffff, 0) | (0x64, 0xff9b, 0, 0, 0, 0) => carries(g, h),
        (0x64, 0xff9b, 1, ..) => true,
        // 6to4.
        (0x2002, high, low, ..) => carries(high, low),
        // Teredo, documentation, the discard prefix.
        (0x2001, 0 | 0xdb8, ..) | (0x100, 0, 0, 0, ..) => true,
        // Site-local, link-local, unique local, multicast.
        _ if a & 0xfe00 == 0xfc00 || a >= 0xfe80 => true,
        // ISATAP.
        (_, _, _, _, 0 | 0x200, 0x5efe) => carries(g, h),
        _ => false,
    }
}

/// Whether a name is one of an inner network, as far as the name alone tells.
pub(super) fn is_inside_name(host: &str) -> bool {
    let ends = |ending: &str| {
        host.strip_suffix(ending).is_some_and(|above| above.is_empty() || above.ends_with('.'))
    };
    !host.contains('.') || INSIDE.iter().any(|ending| ends(ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::net::Ipv6Addr;

    #[test]
    fn private_addresses_are_known_in_every_form() {
        let check = |ip: &str, private| {
            assert_eq!(is_private(ip.parse().expect("an address")), private, "{ip}");
        };
        for ip in ["10.0.0.1", "172.16.0.1", "169.254.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1"] {
            check(ip, true);
        }
        for ip in ["::", "::1", "::ffff:10.0.0.1", "fd00::1", "fe80::1", "ff02::1", "192.0.2.1"] {
            check(ip, true);
        }
        for ip in ["64:ff9b::a00:1", "2002:a00:1::", "192.0.0.1", "198.18.0.1", "255.255.255.255"] {
            check(ip, true);
        }
        for ip in ["fec0::1", "feff::1", "64:ff9b:1::101:101", "::ffff:0:10.0.0.1", "2001::1"] {
            check(ip, true);
        }
        for ip in ["2a00::5efe:10.0.0.1", "2a00::200:5efe:7f00:1", "100::1", "2001:db8::1"] {
            check(ip, true);
        }
        for ip in ["::ffff:0:1.1.1.1", "::ffff:1.1.1.1", "2a00::5efe:1.1.1.1", "2001:4860::1"] {
            check(ip, false);
        }
        for ip in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1", "64:ff9b::101:101"] {
            check(ip, false);
        }
    }

    #[test]
    fn names_of_inner_networks_are_known() {
        let check = |host: &str, inside| assert_eq!(is_inside_name(host), inside, "{host}");
        for host in ["localhost", "a.localhost", "printer", "nas.local", "x.home.arpa", "db.corp"] {
            check(host, true);
        }
        for host in ["example.org", "local.example.org", "mycorp.example", "notlocal.test"] {
            check(host, false);
        }
    }

    proptest! {
        #[test]
        fn an_ipv4_address_is_judged_alike_in_every_dress(bits: u32) {
            let ip = Ipv4Addr::from(bits);
            let (high, low) = ((bits >> 16) as u16, bits as u16);
            for dress in [
                ip.to_ipv6_mapped(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
            ] {
                prop_assert_eq!(is_private(dress.into()), is_private(ip.into()), "{}", dress);
            }
        }
    }
}
