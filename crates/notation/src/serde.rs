//! `Serialize` and `Deserialize`: results, UCI moves, time controls and games as the text that PGN and UCI have for
//! them, everything else by its fields.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::pgn::{Game, Reader};
use crate::result::GameResult;
use crate::time_control::TimeControl;
use crate::uci::UciMove;

/// Implements both traits for a type that becomes a text. `$write` gives what to print, `$read` a result.
macro_rules! as_text {
    ($type:ty, $expected:literal, $write:expr, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&$write(self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;

                impl Visitor<'_> for Text {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$type, E> {
                        $read(text).map_err(E::custom)
                    }
                }

                deserializer.deserialize_str(Text)
            }
        }
    };
}

as_text!(
    GameResult,
    "a result such as \"1-0\"",
    GameResult::clone,
    str::parse::<GameResult>
);
as_text!(
    UciMove,
    "a UCI move such as \"e2e4\"",
    UciMove::clone,
    str::parse::<UciMove>
);
as_text!(
    TimeControl,
    "the value of a PGN tag TimeControl such as \"300+3\"",
    |control: &TimeControl| control.to_tag(),
    |tag| TimeControl::from_tag(tag).ok_or_else(|| format!("{tag:?} is not a time control"))
);
as_text!(Game, "a game in PGN", Game::clone, |text: &str| {
    let mut reader = Reader::new(text.as_bytes());
    let game = Game::read(&mut reader).ok_or("there is no game")?;
    match (game, Game::read(&mut reader)) {
        (Ok(game), None) => Ok(game),
        (Ok(_), Some(_)) => Err("there is more than one game".to_owned()),
        (Err(error), _) => Err(error.to_string()),
    }
});

#[cfg(test)]
mod tests {
    use std::fmt::Debug;
    use std::time::Duration;

    use serde::de::DeserializeOwned;
    use tabiya_board::{Board, Square};

    use super::*;
    use crate::Score;
    use crate::uci::{Bound, SearchInfo};

    #[track_caller]
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn stored_values_come_back() {
        check(&GameResult::Draw, "\"1/2-1/2\"");
        check(&Score::Cp(-31), "{\"cp\":-31}");
        check(&Score::Mate(3), "{\"mate\":3}");
        check(&"e7e8q".parse::<UciMove>().unwrap(), "\"e7e8q\"");
        check(&UciMove::Null, "\"0000\"");
        check(&"5+3".parse::<TimeControl>().unwrap(), "\"300+3\"");
        check(&TimeControl::None, "\"-\"");
        let mv = Board::start()
            .legal_move(Square::E2, Square::E4, None)
            .unwrap();
        let info = SearchInfo {
            depth: 7,
            seldepth: 9,
            multipv: 1,
            score: Score::Cp(20),
            bound: Bound::Lower,
            wdl: Some([300, 500, 200]),
            nodes: 1000,
            hashfull: 5,
            time: Duration::from_millis(1500),
            pv: vec![mv],
        };
        let json = format!(
            "{{\"depth\":7,\"seldepth\":9,\"multipv\":1,\"score\":{{\"cp\":20}},\"bound\":\"lower\",\
             \"wdl\":[300,500,200],\"nodes\":1000,\"hashfull\":5,\"time\":{{\"secs\":1,\"nanos\":500000000}},\
             \"pv\":[{}]}}",
            mv.to_bits()
        );
        check(&info, &json);
    }

    #[test]
    fn games_are_stored_as_pgn() {
        let text = "1. e4 { best by test } 1... e5 (1... c5 $1) 2. Nf3 1-0\n";
        let game = Game::read(&mut Reader::new(text.as_bytes())).unwrap();
        check(&game.unwrap(), &serde_json::to_string(text).unwrap());
        for bad in ["\"1. e4 e4 *\"", "\"\"", "\"1. e4 * 1. d4 *\"", "7"] {
            assert!(serde_json::from_str::<Game>(bad).is_err(), "{bad}");
        }
    }
}
