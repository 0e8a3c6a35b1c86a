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

pub use curve::HarvestCurve;
pub use guides::{
    FUTURE, GUIDES, LinkGuide, LinkValues, Promise, Worth, YARDSTICKS, Yardstick, guide_named,
};
pub use model::SpiderModel;
pub use regression::LinkRegression;
pub use replay::{Policy, ReplayedPage, replay};
pub use rewards::rewards;
pub use signs::{KEYWORD, signs};
pub use value::LinkValue;
pub use web::{FOLDER, LYING, NEARBY, RecordedWeb};
