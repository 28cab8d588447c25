//! `tabiya serve`: the board in a browser.

use std::io;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::PathBuf;

use clap::Args;
use tabiya_explorer::Explorer;
use tabiya_play::{Settings, config_file, data_folder};
use tabiya_serve::{DEFAULT_PORT, ServeOptions, Server, open_browser};

use crate::screen::CommandOutput;
use crate::{examples, print, remark};

/// Open the board in a browser
///
/// Serves a page on which you play, analyse and learn, and an API for scripts, until Ctrl+C. Only this computer can
/// reach it. With --host, others on your network can too, with the link that is printed. With --archive, or with
/// the setting archive, the analysis page shows what was played in each position.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya serve"
    "tabiya serve --port 0 --no-open"
    "tabiya serve --host 0.0.0.0"
    "tabiya serve --archive games"
))]
pub(crate) struct Arguments {
    /// Port to listen on; 0 for any free one
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PORT)]
    port: u16,

    /// Address to listen on; 0.0.0.0 opens the board to your network
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.into())]
    host: IpAddr,

    /// Show the opening explorer of this archive, a folder that tabiya archive has built
    #[arg(long, value_name = "FOLDER")]
    archive: Option<PathBuf>,

    /// Don't open the browser
    #[arg(long)]
    no_open: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<CommandOutput> {
    let explorer = match &arguments.archive {
        Some(archive) => Some(Explorer::open(archive)?),
        // The page says what is wrong with it, as the terminal's analysis boards do.
        None => archive_of_settings()?
            .map(|archive| Explorer::new(&tabiya_explorer::program(), &archive)),
    };
    let mut server = Server::bind(ServeOptions {
        host: arguments.host,
        port: arguments.port,
        folder: data_folder().ok(),
        ..ServeOptions::default()
    })?;
    if let Some(explorer) = explorer {
        server = server.with_explorer(explorer);
    }
    let url = server.url();
    print(&format!("The board is at {url}\nPress Ctrl+C to end.\n"))?;
    if server.is_open_to_network() {
        remark(
            "Warning: everyone on your network who has this link can use the board and the engine.",
        );
    }
    if !arguments.no_open && open_browser(&url).is_err() {
        remark("No browser was found: open the address yourself.");
    }
    server.run()?;
    Ok(CommandOutput::default())
}

/// Whether another program has the default port, perhaps a second Tabiya.
pub(crate) fn is_default_port_taken() -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, DEFAULT_PORT))
        .is_err_and(|error| error.kind() == io::ErrorKind::AddrInUse)
}

fn archive_of_settings() -> anyhow::Result<Option<PathBuf>> {
    // Who has no home has no settings.
    let Ok(file) = config_file() else {
        return Ok(None);
    };
    Ok(Settings::load(file)?.archive()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_noticed() {
        // If this fails, somebody else has the port.
        let _taken = TcpListener::bind((Ipv4Addr::LOCALHOST, DEFAULT_PORT));
        assert!(is_default_port_taken());
    }
}
