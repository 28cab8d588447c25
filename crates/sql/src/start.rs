//! Where games start: calls of chess functions that leave the start out take it from the row.
//!
//! The column `moves` does not say from which position a game starts, and moves from one position may be legal from
//! another, too. So that no answer is silently about another game, a call without a start is completed with the column
//! `FEN` of the same game, and refused where there is none. Names prove nothing here: a query can call the start of one
//! game `FEN` and put it beside the moves of another. So both columns are followed through the query, down to the same
//! row of the table `games`.

use std::sync::{Arc, PoisonError, RwLock, Weak};

use datafusion::catalog::TableProvider;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Column, JoinType, Result, plan_err};
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan, TableScan};
use datafusion::optimizer::AnalyzerRule;

use crate::functions::without_start;

/// The columns about whole games, and that of their start.
const GAMES: [&str; 2] = ["moves", "evals"];
const START: &str = "FEN";

/// Two columns of a table, by number: one about whole games, and that of their start.
type Pair = (usize, usize);

/// A table, and the columns that its rows have together.
type Known = (Weak<dyn TableProvider>, Vec<Pair>);

/// Completes calls without a start.
#[derive(Debug, Default)]
pub(crate) struct StartFromRow {
    /// The tables whose rows have both, until they are dropped.
    tables: RwLock<Vec<Known>>,
}

impl StartFromRow {
    /// Makes the table `games` of an archive known.
    pub(crate) fn add_games(&self, games: &Arc<dyn TableProvider>) {
        let schema = games.schema();
        let start = schema.index_of(START);
        let pairs = GAMES.iter().filter_map(|name| {
            let (game, start) = (schema.index_of(name).ok()?, *start.as_ref().ok()?);
            Some((game, start))
        });
        self.add(games, pairs.collect());
    }

    /// Makes a table known that has the rows of a query.
    pub(crate) fn add(&self, table: &Arc<dyn TableProvider>, pairs: Vec<Pair>) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|(known, _)| known.strong_count() > 0);
        tables.push((Arc::downgrade(table), pairs));
    }

    /// The columns about whole games in the rows of a query, with those of their start.
    pub(crate) fn pairs(&self, rows: &LogicalPlan) -> Vec<Pair> {
        let columns = 0..rows.schema().fields().len();
        columns
            .filter_map(|game| Some((game, self.start_beside(rows, game)?)))
            .collect()
    }

    /// The column with the start of the games in a column.
    fn start_beside(&self, rows: &LogicalPlan, game: usize) -> Option<usize> {
        let mut columns = 0..rows.schema().fields().len();
        columns.find(|&start| self.is_start(rows, game, start))
    }

    /// Whether both columns come from the same row of a table that has them.
    fn is_start(&self, rows: &LogicalPlan, game: usize, start: usize) -> bool {
        let of_expressions = |input: &LogicalPlan, expressions: &[Expr]| {
            let (game, start) = (expressions.get(game), expressions.get(start));
            let column = |expression: Option<&Expr>| {
                input.schema().maybe_index_of_column(column(expression?)?)
            };
            match (column(game), column(start)) {
                (Some(game), Some(start)) => self.is_start(input, game, start),
                _ => false,
            }
        };
        match rows {
            LogicalPlan::TableScan(scan) => self.is_start_in_table(scan, game, start),
            LogicalPlan::Projection(rows) => of_expressions(&rows.input, &rows.expr),
            LogicalPlan::Distinct(Distinct::On(rows)) => {
                of_expressions(&rows.input, &rows.select_expr)
            }
            // All rows of a group have the same values. A grouping set has other columns than expressions.
            LogicalPlan::Aggregate(rows) => {
                !matches!(rows.group_expr[..], [Expr::GroupingSet(_)])
                    && of_expressions(&rows.input, &rows.group_expr)
            }
            LogicalPlan::SubqueryAlias(rows) => self.is_start(&rows.input, game, start),
            LogicalPlan::Filter(rows) => self.is_start(&rows.input, game, start),
            LogicalPlan::Sort(rows) => self.is_start(&rows.input, game, start),
            LogicalPlan::Limit(rows) => self.is_start(&rows.input, game, start),
            LogicalPlan::Repartition(rows) => self.is_start(&rows.input, game, start),
            LogicalPlan::Distinct(Distinct::All(input)) => self.is_start(input, game, start),
            LogicalPlan::Window(rows) => {
                let columns = rows.input.schema().fields().len();
                game.max(start) < columns && self.is_start(&rows.input, game, start)
            }
            LogicalPlan::Union(rows) => {
                let mut inputs = rows.inputs.iter();
                inputs.all(|input| self.is_start(input, game, start))
            }
            LogicalPlan::Unnest(rows) => {
                let input = |column: usize| {
                    let column = *rows.dependency_indices.get(column)?;
                    let is_list = rows.list_type_columns.iter().any(|list| list.0 == column);
                    let is_copied = !is_list && !rows.struct_type_columns.contains(&column);
                    is_copied.then_some(column)
                };
                match (input(game), input(start)) {
                    (Some(game), Some(start)) => self.is_start(&rows.input, game, start),
                    _ => false,
                }
            }
            LogicalPlan::Join(rows) => {
                let left = match rows.join_type {
                    JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => 0,
                    _ => rows.left.schema().fields().len(),
                };
                if game.max(start) < left {
                    self.is_start(&rows.left, game, start)
                } else if game.min(start) >= left {
                    self.is_start(&rows.right, game - left, start - left)
                } else {
                    false
                }
            }
            _ => false,
        }
    }

    fn is_start_in_table(&self, scan: &TableScan, game: usize, start: usize) -> bool {
        let Ok(table) = source_as_provider(&scan.source) else {
            return false;
        };
        let column = |column: usize| match &scan.projection {
            Some(projection) => projection.get(column).copied(),
            None => Some(column),
        };
        let (Some(game), Some(start)) = (column(game), column(start)) else {
            return false;
        };
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.iter().any(|(known, pairs)| {
            let known = known.upgrade();
            known.is_some_and(|known| std::ptr::addr_eq(Arc::as_ptr(&known), Arc::as_ptr(&table)))
                && pairs.contains(&(game, start))
        })
    }

    /// Completes a call with these rows.
    fn complete(&self, expr: Expr, inputs: &[&LogicalPlan]) -> Result<Transformed<Expr>> {
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
        let game = match game {
            Expr::Cast(cast) => column(&cast.expr),
            game => column(game),
        };
        let start = game.and_then(|game| {
            inputs.iter().find_map(|input| {
                let schema = input.schema();
                let start = self.start_beside(input, schema.maybe_index_of_column(game)?)?;
                Some(Column::from(schema.qualified_field(start)))
            })
        });
        let Some(start) = start else {
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

impl AnalyzerRule for StartFromRow {
    fn name(&self) -> &'static str {
        "start_from_row"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let completed = plan.transform_up_with_subqueries(|plan| {
            let inputs: Vec<LogicalPlan> = plan.inputs().into_iter().cloned().collect();
            let inputs: Vec<&LogicalPlan> = inputs.iter().collect();
            let names = NamePreserver::new(&plan);
            plan.map_expressions(|expr| {
                let name = names.save(&expr);
                let completed = expr.transform_up(|expr| self.complete(expr, &inputs))?;
                Ok(completed.update_data(|expr| name.restore(expr)))
            })
        })?;
        Ok(completed.data)
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

/// The column whose values an expression repeats, perhaps under another name.
fn column(expression: &Expr) -> Option<&Column> {
    match expression {
        Expr::Column(column) => Some(column),
        Expr::Alias(alias) => column(&alias.expr),
        _ => None,
    }
}
