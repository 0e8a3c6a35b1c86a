//! The spider that learns which links lead to what is wanted (002 §2): the reward of each link on a web
//! that is known, the value of a link by its words on one that is not, and the guides of a crawl, tried on
//! what was recorded.

mod curve;
mod guides;
mod model;
mod regression;
mod replay;
mod rewards;
mod signs;
mod value;
mod web;

pub use curve::Curve;
pub use guides::{
    FUTURE, GUIDES, Guide, LinkValues, Promise, Worth, YARDSTICKS, Yardstick, guide_named,
};
pub use model::Model;
pub use regression::Regression;
pub use replay::{Fetched, Policy, replay};
pub use rewards::rewards;
pub use signs::{KEYWORD, signs};
pub use value::Value;
pub use web::{LYING, Web};
