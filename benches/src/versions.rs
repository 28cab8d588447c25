//! The versions of the libraries that take part, with what else is to be known of their build.

/// Of `cozy-chess`, which gets its feature `pext` where the build has BMI2.
pub const COZY_CHESS: &str = if cfg!(target_feature = "bmi2") {
    "0.3.4, pext"
} else {
    "0.3.4"
};

/// Of `eschac`.
pub const ESCHAC: &str = "0.6.2";

/// Of `pgn-reader`.
pub const PGN_READER: &str = "0.29.0";

/// Of `shakmaty`.
pub const SHAKMATY: &str = "0.30.0";

/// Of our own.
pub const TABIYA: &str = env!("CARGO_PKG_VERSION");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_those_that_are_built() {
        let manifest = include_str!("../../Cargo.toml");
        for (name, version) in [
            ("cozy-chess", COZY_CHESS),
            ("eschac", ESCHAC),
            ("pgn-reader", PGN_READER),
            ("shakmaty", SHAKMATY),
        ] {
            let number = version.split(',').next().unwrap();
            assert!(
                manifest.contains(&format!("\n{name} = \"={number}\"\n")),
                "{name} {number}"
            );
        }
    }
}
