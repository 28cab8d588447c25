//! Uses the path of the shared library as its soname, so that a program built with `gcc program.c -L target/release
//! -lchessmoves` finds it without any setting. The Makefile gives the installed library an ordinary soname.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_elf = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    let out = env::var("OUT_DIR").unwrap_or_default();
    // Cargo puts the library beside its `build` directory.
    let build = Path::new(&out)
        .ancestors()
        .find(|path| path.ends_with("build"));
    if let (true, Some(directory)) = (is_elf, build.and_then(Path::parent)) {
        let name = directory.join("libchessmoves.so");
        for argument in [Path::new("-soname"), &name] {
            println!("cargo::rustc-cdylib-link-arg=-Xlinker");
            println!("cargo::rustc-cdylib-link-arg={}", argument.display());
        }
    }
}
