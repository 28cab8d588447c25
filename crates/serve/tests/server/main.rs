//! Talks to the server as browsers, scripts and strangers do.

mod api;
mod client;
mod examples;
mod friends;
mod games;
mod security;
mod socket;
