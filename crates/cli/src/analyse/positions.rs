//! `tabiya analyse positions.epd`: the positions of a file.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use tabiya_board::GameHistory;
use tabiya_engine::suite::ExpectedMoves;
use tabiya_games::{Input, InputError, display_name, read_line_rest, read_line_start};
use tabiya_notation::pgn::decode;
use tabiya_notation::{Epd, EpdError};
use tabiya_review::{AnalysedEpd, EpdSummary, analyse_position, annotate_epd};

use super::output::Output;
use super::{Arguments, INTERRUPTED, interruptible};
use crate::pgn::note_encoding;
use crate::screen::{CommandOutput, Screen};
use crate::status_line::StatusLine;
use crate::{FAILURE, print_error, remark};

/// The default time for each position.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

pub(super) fn run(
    arguments: &Arguments,
    path: &Path,
    mut input: Input,
    screen: Screen,
) -> anyhow::Result<CommandOutput> {
    let file = display_name(path);
    let read_error = input.error();
    note_encoding(path, input.known_encoding()?);
    let limit = arguments.read.max_game;
    let mut reader = BufReader::new(input);
    let mut engine = arguments.engine();
    let limits = arguments.limits(Some(DEFAULT_TIME));
    let signal = interruptible();
    let mut output = Output::open(arguments)?;
    let mut status = StatusLine::new();
    let mut summary = EpdSummary::default();
    let start = Instant::now();
    let mut bytes = Vec::new();
    let mut code = 0;
    for line_number in 1.. {
        // Lines that are not analysed are copied, byte for byte.
        let Some(is_whole) = read_line_start(&mut reader, limit, &mut bytes)? else {
            break;
        };
        if signal.is_stopped() && !output.is_file() {
            break;
        }
        let text = decode(&bytes);
        let text = text.trim_matches(|letter: char| letter <= ' ' || letter == '\u{feff}');
        if signal.is_stopped() || text.is_empty() || text.starts_with(['#', '%']) {
            copy_line(&bytes, is_whole, &mut reader, &mut output)?;
            continue;
        }
        status.show(&format!("line {line_number}, {} done", summary.positions));
        let (mut epd, expected) = match parse(text, is_whole, limit) {
            Ok(parsed) => parsed,
            Err(reason) => {
                status.clear();
                print_error(format_args!("{file}:{line_number}: {reason}"));
                summary.unreadable += 1;
                copy_line(&bytes, is_whole, &mut reader, &mut output)?;
                continue;
            }
        };
        let history = GameHistory::new(epd.board);
        // Each position is analysed as if it were the only one.
        engine.new_game();
        let analysis = analyse_position(&mut engine, &history, &limits, &signal, &mut |_| Ok(()))?;
        status.clear();
        if signal.is_stopped() {
            code = INTERRUPTED;
            remark(format_args!("interrupted at line {line_number}"));
            if output.is_file() {
                output.write(&bytes)?;
            }
            continue;
        }
        let best = analysis
            .lines
            .first()
            .and_then(|info| info.pv.first().copied());
        let found = expected
            .zip(best)
            .map(|(expected, best)| expected.is_met_by(best));
        summary.add(found);
        let analysed = AnalysedEpd {
            line_number,
            epd: &epd,
            analysis: &analysis,
            found,
        };
        if arguments.json {
            output.print(&screen.json(&analysed.json())?)?;
        }
        if let Some(reader) = output.reader() {
            output.say(&analysed.row(&file, reader.report_style()))?;
        }
        if let Some(info) = analysis.lines.first() {
            annotate_epd(&mut epd, info);
        }
        output.write(format!("{epd}\n").as_bytes())?;
    }
    status.clear();
    if let Some(error) = read_error.take() {
        output.finish_early(path)?;
        return Err(InputError::new(path, error).into());
    }
    if summary.positions + summary.unreadable == 0 && code == 0 {
        bail!("{file} has no positions; write one EPD or FEN per line");
    }
    if let Some(reader) = output.reader() {
        output.say(&reader.wrap(&summary.sentence(start.elapsed()), 2))?;
    }
    output.finish()?;
    if summary.unreadable > 0 {
        code = FAILURE;
    }
    Ok(CommandOutput::code(code))
}

/// Copies a line, with its rest that has not been read.
fn copy_line(
    start: &[u8],
    is_whole: bool,
    reader: &mut impl BufRead,
    output: &mut Output,
) -> anyhow::Result<()> {
    output.write(start)?;
    if !is_whole {
        read_line_rest(reader, |piece| output.write(piece))?;
    }
    Ok(())
}

/// Parses a position and the moves that it expects. A line above the limit is not parsed.
fn parse(text: &str, is_whole: bool, limit: usize) -> Result<(Epd, Option<ExpectedMoves>), String> {
    if !is_whole {
        let megabytes = limit.div_ceil(1_000_000);
        return Err(format!(
            "the line is longer than {megabytes} MB, the limit, which --max-game can raise"
        ));
    }
    let epd: Epd = text.parse().map_err(|error: EpdError| error.to_string())?;
    match ExpectedMoves::read(&epd) {
        Ok(expected) => Ok((epd, expected)),
        Err(error) => Err(error.to_string()),
    }
}
