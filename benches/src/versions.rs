//! The versions of the rival libraries, with build options that matter.

/// `cozy-chess`, which gets its `pext` feature in builds with BMI2.
pub const COZY_CHESS: &str = if cfg!(target_feature = "bmi2") {
    "0.3.4, pext"
} else {
    "0.3.4"
};

/// `eschac`.
pub const ESCHAC: &str = "0.6.2";

/// `pgn-reader`.
pub const PGN_READER: &str = "0.29.0";

/// `shakmaty`.
pub const SHAKMATY: &str = "0.30.0";

/// Tabiya itself.
pub const TABIYA: &str = env!("CARGO_PKG_VERSION");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn match_the_manifest() {
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
