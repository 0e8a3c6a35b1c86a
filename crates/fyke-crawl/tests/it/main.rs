//! Tests of the crawler as a whole: the frontier in simulated time, whole webs in a string.

mod bad_pages;
mod focus;
mod frontier;
mod frontier_model;
mod http2;
mod manners;
mod names;
mod proxy;
mod rows;
mod seeds;
mod servers;
mod sides;
mod sitemaps;
mod threads;
mod tls;
mod ways;
mod web;
mod web_faults;
mod web_hostile;
mod wire;
mod wire_hostile;
