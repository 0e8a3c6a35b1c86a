//! Socket addresses as people write them: "127.0.0.1:8000", "[::1]:8000", "localhost:8000", "8000".

use serde::{Deserialize, Deserializer, de::Error};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};

/// Reads an address with its port. A port alone is one of this machine, and so is `localhost`: no
/// other name is looked up.
///
/// # Errors
/// What is wrong with it, with an example.
pub fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let here = text.strip_prefix("localhost:").unwrap_or(text);
    let on_loopback = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    here.parse().map(on_loopback).or_else(|_| text.parse()).map_err(|_| {
        format!("{text:?} is no address with a port, such as \"127.0.0.1:8000\" or \"[::1]:8000\"")
    })
}

/// For `#[serde(deserialize_with = …)]` on an address.
pub(crate) fn one<'de, D: Deserializer<'de>>(d: D) -> Result<SocketAddr, D::Error> {
    parse_address(&String::deserialize(d)?).map_err(D::Error::custom)
}

/// For `#[serde(deserialize_with = …)]` on addresses by name.
pub(crate) fn many<'de, D: Deserializer<'de>>(
    d: D,
) -> Result<BTreeMap<String, SocketAddr>, D::Error> {
    let written = BTreeMap::<String, String>::deserialize(d)?.into_iter();
    let read = written.map(|(name, text)| Ok((name, parse_address(&text)?)));
    read.collect::<Result<_, String>>().map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let check = |text: &str, expected: Option<&str>| {
            let found = parse_address(text).ok().map(|address| address.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        };
        check("127.0.0.1:8000", Some("127.0.0.1:8000"));
        check("[::1]:80", Some("[::1]:80"));
        check("8000", Some("127.0.0.1:8000"));
        check("localhost:8000", Some("127.0.0.1:8000"));
        for text in ["", "localhost", "127.0.0.1", "70000", "a.test:80", "localhost:127.0.0.1:1"] {
            check(text, None);
        }
        let error = parse_address("a.test:80").unwrap_err();
        assert!(error.contains("\"a.test:80\"") && error.contains("\"127.0.0.1:8000\""), "{error}");
    }
}
