//! The table function `player_games`.

use std::sync::Arc;

use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Column, JoinType, Result, ScalarValue, plan_err};
use datafusion::datasource::{ViewTable, provider_as_source};
use datafusion::functions::expr_fn::{contains, lower};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, lit, when};

/// The games of a player, seen from the player's side. Duplicates are left out.
#[derive(Debug)]
pub(crate) struct PlayerGames {
    pub(crate) games: Arc<dyn TableProvider>,
    pub(crate) duplicates: Arc<dyn TableProvider>,
}

/// A column of the games.
fn column(name: &str) -> Expr {
    Expr::Column(Column::new(Some("games"), name))
}

impl TableFunctionImpl for PlayerGames {
    fn call_with_args(&self, call: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let [Expr::Literal(ScalarValue::Utf8(Some(name)), _)] = call.exprs() else {
            return plan_err!("write player_games('NAME'), with part of the player's name");
        };
        let name = name.to_lowercase();
        let has_name = |side: &str| contains(lower(column(side)), lit(name.clone()));
        // Of two players with the name, White.
        let is_white = || has_name("White").is_true();
        let seen = |white: Expr, black: Expr| when(is_white(), white).otherwise(black);
        let won = |result: &str| column("Result").eq(lit(result));
        let score = |own: &str, other: &str| {
            when(won(own), lit(1.0))
                .when(won("1/2-1/2"), lit(0.5))
                .when(won(other), lit(0.0))
                .end()
        };
        let mut columns = vec![
            seen(lit("white"), lit("black"))?.alias("color"),
            seen(column("White"), column("Black"))?.alias("player"),
            seen(column("Black"), column("White"))?.alias("opponent"),
            seen(column("WhiteElo"), column("BlackElo"))?.alias("rating"),
            seen(column("BlackElo"), column("WhiteElo"))?.alias("opponent_rating"),
            seen(score("1-0", "0-1")?, score("0-1", "1-0")?)?.alias("score"),
        ];
        let schema = self.games.schema();
        columns.extend(schema.fields().iter().map(|field| column(field.name())));
        let duplicates = LogicalPlanBuilder::scan(
            "duplicates",
            provider_as_source(self.duplicates.clone()),
            None,
        )?;
        let plan = LogicalPlanBuilder::scan("games", provider_as_source(self.games.clone()), None)?
            .filter(has_name("White").or(has_name("Black")))?
            .join(
                duplicates.build()?,
                JoinType::LeftAnti,
                (
                    vec![Column::new(Some("games"), "game_id")],
                    vec![Column::new(Some("duplicates"), "game_id")],
                ),
                None,
            )?
            .project(columns)?
            .build()?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}
