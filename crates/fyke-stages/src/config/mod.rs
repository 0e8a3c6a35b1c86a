//! The collection's settings: `fyke.toml`, the environment and `--set`, each value with its origin.
//!
//! The structs in [`keys`] are the only list of keys: defaults, the known names, the nearest name
//! for a misspelt one and what `fyke config` prints are all taken from them.

mod address;
mod credentials;
mod extract;
mod keys;
mod layers;
mod origin;
mod papers;
mod render;
mod rules;
mod spam;
mod subject;
mod template;
mod topics;
mod units;
pub(crate) mod words;

pub use address::parse_address;
pub use credentials::CredentialKeys;
pub(crate) use credentials::credentials;
pub use keys::{
    Config, CorpusKeys, ExperimentKeys, ExtractKeys, FeedSwitch, Feeds, Purpose, PushKeys,
    ScopeMode, SitemapSwitch, Sitemaps, TargetKeys, TargetKind,
};
pub use layers::{LoadedSettings, load, parse};
pub use origin::{ValueOrigin, nearest};
pub use papers::{PAPERS_FILE, ToldFields, ToldPapers};
pub(crate) use rules::bare_seeds;
pub use rules::{check_contact, contact_for, is_loopback, names_loopback, seeds};
pub use spam::{SPAM_FILE, ToldSpam};
pub use subject::{ApprovedPages, SUBJECT_FILE};
pub use template::{NewSettings, is_bare, seed_url, template};
pub use topics::{TOPICS_FILE, load_outline, outline_text, parse_outline, with_keywords};
pub use units::{parse_bytes, parse_duration, show_bytes, show_duration};
pub use words::StopWords;

/// What is wrong with the settings, and where; always exit code 2.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);
