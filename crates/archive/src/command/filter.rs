//! The options that narrow games down.

use clap::Args;
use tabiya_archive::{Filter, parse_day};
use tabiya_games::Pattern;
use tabiya_notation::GameResult;

#[derive(Args)]
#[command(next_help_heading = "Select games")]
pub(crate) struct FilterArguments {
    /// The average rating of the players, such as 2000-2400, 2000- or -1500
    #[arg(long, value_name = "RANGE", value_parser = parse_range, allow_hyphen_values = true)]
    rating: Option<(Option<i32>, Option<i32>)>,

    /// The first day, such as 2024.01.31
    #[arg(long, value_name = "DATE", value_parser = day)]
    since: Option<i32>,

    /// The last day
    #[arg(long, value_name = "DATE", value_parser = day)]
    until: Option<i32>,

    /// A time control such as 300+3, or bullet, blitz, rapid, classical
    #[arg(long, value_name = "CONTROL")]
    time_control: Option<String>,

    /// Part of either player's name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Part of White's name
    #[arg(long, value_name = "NAME")]
    white: Option<String>,

    /// Part of Black's name
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// The result: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long)]
    result: Option<GameResult>,

    /// Part of the name of the event
    #[arg(long, value_name = "NAME")]
    event: Option<String>,

    /// The beginning of the ECO code, such as B9
    #[arg(long, value_name = "CODE")]
    eco: Option<String>,

    /// Part of the name of the opening
    #[arg(long, value_name = "NAME")]
    opening: Option<String>,

    /// Pieces on squares, such as "Kg1 Rf1 !q??", "white: Kg1 pawns f2 g2 h2", or a FEN with ? and * for anything
    #[arg(long, value_name = "PIECES", value_parser = Pattern::pieces, help_heading = POSITIONS)]
    pattern: Vec<Pattern>,

    /// Material, such as KRPkrp (White in capitals), KRPvKR (either colour), KRP+kr (one or more pawns)
    #[arg(long, value_name = "PIECES", value_parser = Pattern::material, help_heading = POSITIONS)]
    material: Vec<Pattern>,

    /// All pawns, such as "d4 e3 black: d5 e6", or a name: isolani, hanging pawns, carlsbad, maroczy, stonewall, hedgehog
    #[arg(long, value_name = "STRUCTURE", value_parser = Pattern::pawns, help_heading = POSITIONS)]
    pawns: Vec<Pattern>,

    /// An ending, such as "rook ending", "queen vs rook", "opposite-coloured bishops"
    #[arg(long, value_name = "NAME", value_parser = Pattern::ending, help_heading = POSITIONS)]
    ending: Vec<Pattern>,

    /// Number of positions in a row in which all of this must hold [default: 1]
    #[arg(long = "for", value_name = "POSITIONS", help_heading = POSITIONS)]
    in_a_row: Option<usize>,
}

const POSITIONS: &str = "Select games with a position that has all of this";

fn day(text: &str) -> Result<i32, String> {
    parse_day(text).ok_or_else(|| "write a date as 2024.01.31".to_owned())
}

fn parse_range(text: &str) -> Result<(Option<i32>, Option<i32>), String> {
    let number = |part: &str| match part.trim() {
        "" => Ok(None),
        part => part
            .parse()
            .map(Some)
            .map_err(|_| "write a range as 2000-2400, 2000- or -1500".to_owned()),
    };
    match text.split_once('-') {
        Some((first, last)) => Ok((number(first)?, number(last)?)),
        None => number(text).map(|only| (only, only)),
    }
}

impl FilterArguments {
    pub(crate) fn filter(&self) -> Filter {
        let (min_rating, max_rating) = self.rating.unwrap_or_default();
        Filter {
            min_rating,
            max_rating,
            since: self.since,
            until: self.until,
            time_control: self.time_control.clone(),
            player: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            result: self.result,
            event: self.event.clone(),
            eco: self.eco.clone(),
            opening: self.opening.clone(),
            patterns: [&self.pattern, &self.material, &self.pawns, &self.ending]
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
            in_a_row: self.in_a_row.unwrap_or_default(),
            broken: false,
        }
    }
}
