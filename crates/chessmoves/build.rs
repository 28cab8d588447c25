//! Gives the shared library of a checkout its path as its name, so that `gcc program.c -L target/release -lchessmoves`
//! makes a program that finds it without any setting. The installed one gets an ordinary name: see the Makefile.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_elf = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    let out = env::var("OUT_DIR").unwrap_or_default();
    // The directory in which cargo puts the library is the one above its `build`.
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
