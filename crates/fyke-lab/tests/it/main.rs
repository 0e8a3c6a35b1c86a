//! Tests of the lab against engines and webs on this machine.

mod collect;
mod engine;
mod small_web;
