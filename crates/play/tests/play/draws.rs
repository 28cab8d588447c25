//! Draws: offered, claimed, and by themselves.

use std::time::Instant;

use tabiya_board::{Board, DrawClaim, Outcome};
use tabiya_play::{ActionError, GameEvent, Termination, TimeControl};

use crate::{BLACK, WHITE, ending, game_from, people, play};

const SHUFFLE: &str = "Nf3 Nf6 Ng1 Ng8 ";

#[test]
fn an_offer_stands_until_the_other_side_moves() {
    let mut game = people();
    let now = Instant::now();
    assert_eq!(
        game.accept_draw(BLACK, now),
        Err(ActionError::NoDrawOffered)
    );
    assert_eq!(
        game.offer_draw(WHITE, now),
        Ok(GameEvent::DrawOffered(WHITE))
    );
    assert_eq!(
        game.offer_draw(WHITE, now),
        Err(ActionError::AlreadyOffered(WHITE))
    );
    // Nobody can take his own offer.
    assert_eq!(
        game.accept_draw(WHITE, now),
        Err(ActionError::NoDrawOffered)
    );
    play(&mut game, "e4");
    assert_eq!(game.draw_offer(), Some(WHITE));
    play(&mut game, "e5");
    assert_eq!(game.draw_offer(), None);
    game.offer_draw(WHITE, now).unwrap();
    assert_eq!(
        game.decline_draw(BLACK, now),
        Ok(GameEvent::DrawDeclined(BLACK))
    );
    assert_eq!(game.draw_offer(), None);
    game.offer_draw(BLACK, now).unwrap();
    assert_eq!(
        ending(&game.accept_draw(WHITE, now).unwrap()),
        Termination::Agreed
    );
}

#[test]
fn both_want_a_draw() {
    let mut game = people();
    let now = Instant::now();
    game.draw(WHITE, now).unwrap();
    assert_eq!(ending(&game.draw(BLACK, now).unwrap()), Termination::Agreed);
}

#[test]
fn the_third_time_is_claimed_and_the_fifth_comes_by_itself() {
    let now = Instant::now();
    let mut game = people();
    play(&mut game, SHUFFLE);
    let refused = game.claim_draw(now).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "there is no draw to claim: the position is there for the second time, and 2 moves have been played since a \
         capture or a pawn move"
    );
    play(&mut game, SHUFFLE);
    let mut claimed = game.clone();
    assert_eq!(
        ending(&claimed.draw(WHITE, now).unwrap()),
        Termination::Claimed(DrawClaim::ThreefoldRepetition)
    );
    // Who is not to move can only offer.
    assert_eq!(
        game.clone().draw(BLACK, now),
        Ok(GameEvent::DrawOffered(BLACK))
    );
    play(&mut game, SHUFFLE);
    play(&mut game, "Nf3 Nf6 Ng1");
    let events = game.play_text("Ng8", now).unwrap();
    let fivefold = Termination::Outcome(Outcome::FivefoldRepetition);
    assert_eq!(ending(&events[1]), fivefold);
}

#[test]
fn fifty_and_seventy_five_moves() {
    let now = Instant::now();
    let board: Board = "4k3/8/8/8/8/8/R7/4K3 w - - 99 80".parse().unwrap();
    let mut game = game_from(board, TimeControl::None);
    assert_eq!(game.claimable_draw(), None);
    play(&mut game, "Ra3");
    assert_eq!(game.claimable_draw(), Some(DrawClaim::FiftyMoves));
    let board: Board = "4k3/8/8/8/8/8/R7/4K3 w - - 149 120".parse().unwrap();
    let mut game = game_from(board, TimeControl::None);
    let events = game.play_text("Ra3", now).unwrap();
    assert_eq!(
        ending(&events[1]),
        Termination::Outcome(Outcome::SeventyFiveMoves)
    );
}

#[test]
fn a_dead_position_ends_by_itself() {
    let board: Board = "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1".parse().unwrap();
    let mut game = game_from(board, TimeControl::None);
    let events = game.play_text("Kxe2", Instant::now()).unwrap();
    assert_eq!(
        ending(&events[1]),
        Termination::Outcome(Outcome::InsufficientMaterial)
    );
}
