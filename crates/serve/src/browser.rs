//! Opening the page in a browser.

use std::io;
use std::process::{Command, Stdio};

/// Opens an address in the user's browser. Returns as soon as the browser has been asked.
pub fn open_browser(url: &str) -> io::Result<()> {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut child = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // Collects the exit status, so that no process is left behind.
    std::thread::spawn(move || child.wait());
    Ok(())
}
