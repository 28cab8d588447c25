//! `tabiya analyse positions.epd`: the positions of a file.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use tabiya_board::GameHistory;
use tabiya_engine::suite::ExpectedMoves;
use tabiya_games::{EpdLineError, EpdLines, Input, InputError, display_name};
use tabiya_notation::Epd;
use tabiya_review::{AnalysedEpd, EpdSummary, analyse_position, annotate_epd};

use super::output::Output;
use super::{Arguments, interruptible};
use crate::pgn::note_encoding;
use crate::screen::{CommandOutput, Screen};
use crate::status_line::StatusLine;
use crate::{FAILURE, INTERRUPTED, print_error, remark};

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
    let mut lines = EpdLines::new(input, arguments.read.max_game);
    let mut engine = arguments.engine();
    let limits = arguments.limits(Some(DEFAULT_TIME));
    let signal = interruptible();
    let mut output = Output::open(arguments)?;
    let mut status = StatusLine::new();
    let mut summary = EpdSummary::default();
    let start = Instant::now();
    let mut code = 0;
    while lines.read()? {
        if signal.is_stopped() && !output.is_file() {
            break;
        }
        let line_number = lines.number();
        let position = lines.position().filter(|_| !signal.is_stopped());
        // Lines that are not analysed are copied, byte for byte.
        let Some(position) = position else {
            lines.copy(|bytes| output.write(bytes))?;
            continue;
        };
        status.show(&format!("line {line_number}, {} done", summary.positions));
        let (mut epd, expected) = match with_expected_moves(position) {
            Ok(parsed) => parsed,
            Err(reason) => {
                status.clear();
                print_error(format_args!("{file}:{line_number}: {reason}"));
                summary.unreadable += 1;
                lines.copy(|bytes| output.write(bytes))?;
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
                lines.copy(|bytes| output.write(bytes))?;
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

/// Reads the moves that are expected in a position.
fn with_expected_moves(
    position: Result<Epd, EpdLineError>,
) -> Result<(Epd, Option<ExpectedMoves>), String> {
    let epd = position.map_err(|error| match error {
        EpdLineError::TooLong { .. } => {
            format!("{error}, the limit, which --max-game can raise")
        }
        error => error.to_string(),
    })?;
    match ExpectedMoves::read(&epd) {
        Ok(expected) => Ok((epd, expected)),
        Err(error) => Err(error.to_string()),
    }
}
