//! Tests of the crawler as a whole: the frontier in simulated time, whole webs in a string.

mod frontier;
mod threads;
mod web;
mod web_faults;
mod web_hostile;
mod wire;
