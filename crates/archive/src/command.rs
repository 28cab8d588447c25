//! The commands, one module each.

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod explore;
mod filter;
pub(crate) mod find;
pub(crate) mod info;
mod position;
mod status;

/// What a command prints, and its exit code.
pub(crate) type Output = (String, u8);

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        10_000_000..10_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", bytes / 1_000_000_000),
    }
}
