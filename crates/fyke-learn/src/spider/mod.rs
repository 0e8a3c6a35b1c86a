//! The spider that learns which links lead to what is wanted (002 §2): the reward of each link on a web
//! that is known, the value of a link by its words on one that is not, and spiders tried on what was
//! recorded.

mod curve;
mod guides;
mod model;
mod regression;
mod replay;
mod rewards;
mod value;
mod web;

pub use curve::Curve;
pub use guides::{GUIDES, Guide, model, with_model};
pub use model::Model;
pub use regression::Regression;
pub use replay::{Fetched, Policy, replay};
pub use rewards::rewards;
pub use value::Value;
pub use web::{LYING, Web};
