//! The native module of the Python package `tabiya`: `tabiya-python` as a shared library.
//!
//! Link-time optimisation runs at the level of the last crate. This one is compiled for speed, so that rules and engine
//! stay fast; in the profile `wheel`, the classes in `tabiya-python` are compiled for size.
pub use tabiya_python::*;
