//! Where games start: calls of chess functions that leave the start out take it from the row.
//!
//! The column `moves` does not say from which position a game starts, and moves from one position may be legal from
//! another, too. So that no answer is silently about another game, a call without a start is completed with the column
//! `FEN` beside `moves`, and refused where there is none.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Column, DFSchema, Result, plan_err};
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::expr_rewriter::FunctionRewrite;

use crate::functions::without_start;

/// The columns about whole games, and that of their start.
const GAMES: [&str; 2] = ["moves", "evals"];
const START: &str = "FEN";

/// Completes calls without a start.
#[derive(Debug)]
pub(crate) struct StartFromRow;

impl FunctionRewrite for StartFromRow {
    fn name(&self) -> &'static str {
        "start_from_row"
    }

    fn rewrite(
        &self,
        expr: Expr,
        schema: &DFSchema,
        _: &ConfigOptions,
    ) -> Result<Transformed<Expr>> {
        let call = match expr {
            Expr::ScalarFunction(call) => call,
            other => return Ok(Transformed::no(other)),
        };
        let Some(usage) = without_start(&call.func, call.args.len()) else {
            return Ok(Transformed::no(Expr::ScalarFunction(call)));
        };
        let game = &call.args[0];
        if is_written_out(game)? {
            return Ok(Transformed::no(Expr::ScalarFunction(call)));
        }
        let Some(start) = start_beside(game, schema) else {
            return plan_err!("{}", missing(usage));
        };
        let mut call = Expr::ScalarFunction(call);
        // Groups and columns are found by the name of the call as it was written.
        let name = call.schema_name().to_string();
        if let Expr::ScalarFunction(call) = &mut call {
            call.args.push(Expr::Column(start));
        }
        Ok(Transformed::yes(call.alias(name)))
    }
}

/// What a call is told that does not say where a game starts.
pub(crate) fn missing(usage: &str) -> String {
    format!(
        "where does the game start? Write {usage} with the column FEN of the table games as the last argument, or NULL \
         for the usual position"
    )
}

/// Whether an argument is the same for all rows, as in `accuracy([20, 25], 'white')`.
fn is_written_out(game: &Expr) -> Result<bool> {
    let varies = game.exists(|part| {
        Ok(matches!(
            part,
            Expr::Column(_) | Expr::OuterReferenceColumn(..) | Expr::ScalarSubquery(_)
        ))
    })?;
    Ok(!varies)
}

/// The column with the start of the games in this column, from the same table.
fn start_beside(game: &Expr, schema: &DFSchema) -> Option<Column> {
    let Expr::Column(game) = game else {
        return None;
    };
    if !GAMES.contains(&game.name.as_str()) {
        return None;
    }
    let (table, _) = schema.iter().find(|(table, column)| {
        let is_same = match (table, &game.relation) {
            (Some(table), Some(games)) => table.resolved_eq(games),
            (None, None) => true,
            _ => false,
        };
        is_same && column.name() == START
    })?;
    Some(Column::new(table.cloned(), START))
}
