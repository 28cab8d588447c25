//! The chess functions of SQL. `docs/sql.md` describes them, with an example each that is tested.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BooleanBuilder, Float64Builder, Int32Builder,
    Int64Builder, ListArray, StringArray, StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Int32Type, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use tabiya_board::Color;
use tabiya_games::{material, pawn_structure};
use tabiya_notation::{opening, write_san};

use crate::evaluation::{accuracy, evaluate};
use crate::interrupt;
use crate::pattern::GamePattern;
use crate::replay::{Replay, board};
use crate::start::missing;

/// The chess functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Function {
    Accuracy,
    Eval,
    FenAfter,
    HasPosition,
    Key,
    Matches,
    Material,
    Opening,
    PawnStructure,
    San,
}

/// The kinds of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Argument {
    Moves,
    Number,
    Text,
    Evals,
}

impl Argument {
    /// The type that an argument is cast to; `None` if it is another kind of thing.
    fn cast(self, from: &DataType) -> Option<DataType> {
        let to = match self {
            Self::Moves => DataType::Binary,
            Self::Number => DataType::Int64,
            Self::Text => DataType::Utf8,
            Self::Evals => DataType::List(Arc::new(Field::new("element", DataType::Int32, true))),
        };
        let fits = match self {
            _ if from.is_null() => true,
            Self::Moves => from.is_binary(),
            Self::Number => from.is_integer(),
            Self::Text => from.is_string(),
            Self::Evals => {
                matches!(from, DataType::List(element) if element.data_type().is_integer())
            }
        };
        fits.then_some(to)
    }
}

impl Function {
    const ALL: [Self; 10] = [
        Self::Accuracy,
        Self::Eval,
        Self::FenAfter,
        Self::HasPosition,
        Self::Key,
        Self::Matches,
        Self::Material,
        Self::Opening,
        Self::PawnStructure,
        Self::San,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Eval => "eval",
            Self::FenAfter => "fen_after",
            Self::HasPosition => "has_position",
            Self::Key => "key",
            Self::Matches => "matches",
            Self::Material => "material",
            Self::Opening => "opening",
            Self::PawnStructure => "pawn_structure",
            Self::San => "san",
        }
    }

    /// How it is called, for messages.
    const fn usage(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy(evals, 'white' or 'black' [, fen])",
            Self::Eval => "eval(fen, nodes)",
            Self::FenAfter => "fen_after(moves, ply [, fen])",
            Self::HasPosition => "has_position(moves, position [, fen])",
            Self::Key => "key(fen)",
            Self::Matches => "matches(moves, pattern [, fen])",
            Self::Material => "material(moves, ply [, fen])",
            Self::Opening => "opening(moves [, fen])",
            Self::PawnStructure => "pawn_structure(moves, ply [, fen])",
            Self::San => "san(moves, ply [, fen])",
        }
    }

    /// The arguments that it must have.
    const fn arguments(self) -> &'static [Argument] {
        match self {
            Self::Accuracy => &[Argument::Evals, Argument::Text],
            Self::Eval => &[Argument::Text, Argument::Number],
            Self::FenAfter | Self::Material | Self::PawnStructure | Self::San => {
                &[Argument::Moves, Argument::Number]
            }
            Self::HasPosition | Self::Matches => &[Argument::Moves, Argument::Text],
            Self::Key => &[Argument::Text],
            Self::Opening => &[Argument::Moves],
        }
    }

    /// Whether the start of the game may follow.
    const fn takes_start(self) -> bool {
        !matches!(self, Self::Eval | Self::Key)
    }

    const fn returns(self) -> DataType {
        match self {
            Self::Accuracy => DataType::Float64,
            Self::Eval => DataType::Int32,
            Self::HasPosition | Self::Matches => DataType::Boolean,
            Self::Key => DataType::Int64,
            Self::FenAfter | Self::Material | Self::Opening | Self::PawnStructure | Self::San => {
                DataType::Utf8
            }
        }
    }
}

/// A chess function as SQL knows it.
#[derive(PartialEq, Eq, Hash, Debug)]
struct ChessFunction {
    function: Function,
    signature: Signature,
}

/// Returns all chess functions.
pub(crate) fn functions() -> Vec<Arc<ScalarUDF>> {
    let all = Function::ALL.map(|function| {
        Arc::new(ScalarUDF::from(ChessFunction {
            function,
            signature: Signature::user_defined(Volatility::Immutable),
        }))
    });
    all.to_vec()
}

/// How a call of a chess function is written, if this number of arguments lacks the start of the game.
pub(crate) fn without_start(function: &ScalarUDF, arguments: usize) -> Option<&'static str> {
    let chess: &ChessFunction = function.inner().downcast_ref()?;
    let function = chess.function;
    let lacks_start = function.takes_start() && arguments == function.arguments().len();
    lacks_start.then(|| function.usage())
}

impl ScalarUDFImpl for ChessFunction {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let wanted = self.function.arguments();
        let start = self.function.takes_start().then_some(Argument::Text);
        let all = wanted.iter().copied().chain(start);
        let types: Option<Vec<DataType>> = given
            .iter()
            .zip(all)
            .map(|(given, wanted)| wanted.cast(given))
            .collect();
        let most = wanted.len() + usize::from(start.is_some());
        match types {
            Some(types) if (wanted.len()..=most).contains(&given.len()) => Ok(types),
            _ => plan_err!("write {}", self.function.usage()),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.function.returns())
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let function = self.function;
        // `StartFromRow` has completed the calls of a query. Should a plan come here in another way, it is not guessed.
        if function.takes_start()
            && call.args.len() == function.arguments().len()
            && matches!(call.args[0], ColumnarValue::Array(_))
        {
            return exec_err!("{}", missing(function.usage()));
        }
        let is_constant = call
            .args
            .iter()
            .all(|value| matches!(value, ColumnarValue::Scalar(_)));
        let arrays = ColumnarValue::values_to_arrays(&call.args)?;
        let rows = Rows {
            function,
            arrays: &arrays,
        };
        let count = if is_constant { 1 } else { call.number_rows };
        let result = rows.run(count)?;
        if is_constant {
            return datafusion::common::ScalarValue::try_from_array(&result, 0)
                .map(ColumnarValue::Scalar);
        }
        Ok(ColumnarValue::Array(result))
    }
}

/// The rows that a function is called for.
struct Rows<'a> {
    function: Function,
    arrays: &'a [ArrayRef],
}

impl Rows<'_> {
    fn run(&self, count: usize) -> Result<ArrayRef> {
        interrupt::join_query();
        let rows = (0..count).map(|row| {
            if interrupt::is_stopped() {
                return exec_err!("the query was stopped");
            }
            Ok(row)
        });
        macro_rules! collect {
            ($builder:ty, $function:expr) => {{
                let mut builder = <$builder>::new();
                for row in rows {
                    builder.append_option($function(row?)?);
                }
                Ok(Arc::new(builder.finish()))
            }};
        }
        let mut pattern: Option<(&str, GamePattern)> = None;
        match self.function {
            Function::Accuracy => collect!(Float64Builder, |row| self.accuracy(row)),
            Function::Eval => collect!(Int32Builder, |row| self.eval(row)),
            Function::FenAfter => collect!(StringBuilder, |row| {
                self.at_ply(row, |game| Some(game.board().to_string()))
            }),
            Function::HasPosition => collect!(BooleanBuilder, |row| self.has_position(row)),
            Function::Key => collect!(Int64Builder, |row| self.key(row)),
            Function::Matches => collect!(BooleanBuilder, |row| self.matches(row, &mut pattern)),
            Function::Material => collect!(StringBuilder, |row| {
                self.at_ply(row, |game| Some(material(game.board())))
            }),
            Function::Opening => collect!(StringBuilder, |row| self.opening(row)),
            Function::PawnStructure => collect!(StringBuilder, |row| {
                self.at_ply(row, |game| Some(pawn_structure(game.board())))
            }),
            Function::San => collect!(StringBuilder, |row| self.san(row)),
        }
    }

    /// An argument; `None` if it is NULL.
    fn array<T: 'static>(&self, index: usize, row: usize) -> Option<&T> {
        let array = self.arrays.get(index)?;
        if array.is_null(row) {
            return None;
        }
        array.as_any().downcast_ref()
    }

    fn text(&self, index: usize, row: usize) -> Option<&str> {
        self.array(index, row)
            .map(|array: &StringArray| array.value(row))
    }

    fn number(&self, index: usize, row: usize) -> Option<i64> {
        let array = self.arrays.get(index)?;
        let numbers = array.as_primitive_opt::<Int64Type>()?;
        (!numbers.is_null(row)).then(|| numbers.value(row))
    }

    /// The game of a row; `None` if there are no moves.
    fn game(&self, row: usize) -> Result<Option<Replay<'_>>> {
        let moves: Option<&BinaryArray> = self.array(0, row);
        let start = self.text(self.function.arguments().len(), row);
        moves
            .map(|moves| Replay::new(moves.value(row), start))
            .transpose()
    }

    /// Something about the position after the number of moves that the second argument says.
    fn at_ply<T>(&self, row: usize, look: impl Fn(&Replay<'_>) -> Option<T>) -> Result<Option<T>> {
        let (Some(mut game), Some(ply)) = (self.game(row)?, self.number(1, row)) else {
            return Ok(None);
        };
        Ok(if game.play_to(ply)? {
            look(&game)
        } else {
            None
        })
    }

    fn accuracy(&self, row: usize) -> Result<Option<f64>> {
        let lists: Option<&ListArray> = self.array(0, row);
        let (Some(lists), Some(player)) = (lists, self.text(1, row)) else {
            return Ok(None);
        };
        let player = match player.to_lowercase().as_str() {
            "white" | "w" => Color::White,
            "black" | "b" => Color::Black,
            _ => return exec_err!("accuracy needs 'white' or 'black', not '{player}'"),
        };
        let first = self.text(2, row).map(board).transpose()?;
        let first = first.map_or(Color::White, |board| board.turn());
        let list = lists.value(row);
        let evals: Option<Vec<i32>> = list.as_primitive::<Int32Type>().iter().collect();
        Ok(evals.and_then(|evals| accuracy(&evals, player, first)))
    }

    fn eval(&self, row: usize) -> Result<Option<i32>> {
        let (Some(fen), Some(nodes)) = (self.text(0, row), self.number(1, row)) else {
            return Ok(None);
        };
        evaluate(&board(fen)?, nodes).map(Some)
    }

    fn has_position(&self, row: usize) -> Result<Option<bool>> {
        let (Some(mut game), Some(fen)) = (self.game(row)?, self.text(1, row)) else {
            return Ok(None);
        };
        let wanted = board(fen)?.repetition_key();
        loop {
            if game.board().repetition_key() == wanted {
                return Ok(Some(true));
            }
            if game.play()?.is_none() {
                return Ok(Some(false));
            }
        }
    }

    fn key(&self, row: usize) -> Result<Option<i64>> {
        let board = self.text(0, row).map(board).transpose()?;
        Ok(board.map(|board| board.repetition_key() as i64))
    }

    fn matches<'a>(
        &'a self,
        row: usize,
        known: &mut Option<(&'a str, GamePattern)>,
    ) -> Result<Option<bool>> {
        let (Some(mut game), Some(text)) = (self.game(row)?, self.text(1, row)) else {
            return Ok(None);
        };
        // Mostly the same in all rows.
        let pattern = match known.take() {
            Some((last, pattern)) if last == text => pattern,
            _ => GamePattern::parse(text)?,
        };
        let (_, pattern) = known.insert((text, pattern));
        pattern.occurs(&mut game).map(Some)
    }

    fn opening(&self, row: usize) -> Result<Option<String>> {
        let Some(mut game) = self.game(row)? else {
            return Ok(None);
        };
        let mut name = None;
        loop {
            name = opening(game.board()).map(|found| found.name).or(name);
            if game.play()?.is_none() {
                return Ok(name.map(str::to_owned));
            }
        }
    }

    fn san(&self, row: usize) -> Result<Option<String>> {
        let (Some(mut game), Some(ply)) = (self.game(row)?, self.number(1, row)) else {
            return Ok(None);
        };
        if ply < 1 || !game.play_to(ply - 1)? {
            return Ok(None);
        }
        let mv = game.next_move()?;
        Ok(mv.map(|mv| write_san(game.board(), mv).to_string()))
    }
}
