//! Settings: the one place of this room that knows the crate `fyke`.

use crate::text;
use fyke_stages::config;

/// A fyke.toml, and the topics of a topics.toml.
pub fn settings(bytes: &[u8]) {
    let file = text(bytes);
    if let Ok(loaded) = config::parse(&file) {
        let written = toml::to_string(&loaded.config).expect("settings are plain TOML");
        let again = config::parse(&written).expect("settings that hold can be written and read");
        assert_eq!(again.config, loaded.config);
    }
    let _ = config::parse_outline(&file);
    let _ = (config::parse_duration(&file), config::parse_bytes(&file));
}
