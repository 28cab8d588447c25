//! Talks to the server as browsers, scripts and strangers do.

mod api;
mod client;
mod examples;
#[cfg(unix)]
mod explorer;
mod friends;
mod games;
mod security;
mod socket;
