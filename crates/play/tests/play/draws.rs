//! Draws: offered, claimed and automatic.

use std::time::Instant;

use tabiya_board::{Board, DrawClaim, Outcome};
use tabiya_play::{ActionError, GameEvent, Termination, TimeControl};

use crate::{BLACK, WHITE, ending, game_from, people, play};

const SHUFFLE: &str = "Nf3 Nf6 Ng1 Ng8 ";

#[test]
fn an_offer_is_open_until_the_opponent_moves() {
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
    // A side cannot accept its own offer.
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
fn two_offers_make_a_draw() {
    let mut game = people();
    let now = Instant::now();
    game.draw(WHITE, now).unwrap();
    assert_eq!(ending(&game.draw(BLACK, now).unwrap()), Termination::Agreed);
}

#[test]
fn threefold_repetition_is_claimed_and_fivefold_is_automatic() {
    let now = Instant::now();
    let mut game = people();
    play(&mut game, SHUFFLE);
    let error = game.claim_draw(now).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no draw to claim: this position has occurred twice, and the last capture or pawn move was 2 moves ago"
    );
    play(&mut game, SHUFFLE);
    let mut claimed = game.clone();
    assert_eq!(
        ending(&claimed.draw(WHITE, now).unwrap()),
        Termination::Claimed(DrawClaim::ThreefoldRepetition)
    );
    // Only the side to move can claim.
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
fn fifty_moves_are_claimed_and_seventy_five_are_automatic() {
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
fn insufficient_material_ends_the_game() {
    let board: Board = "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1".parse().unwrap();
    let mut game = game_from(board, TimeControl::None);
    let events = game.play_text("Kxe2", Instant::now()).unwrap();
    assert_eq!(
        ending(&events[1]),
        Termination::Outcome(Outcome::InsufficientMaterial)
    );
}
