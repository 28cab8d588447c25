"""The same answers as python-chess, on positions of random games and on games that were played.

TABIYA_POSITIONS and TABIYA_GAMES set how many are compared, TABIYA_SEED which. TABIYA_PGN is a file of games to begin
with; when it has no more, levels of the engine play on.
"""

import io
import os
import pathlib
import random
import unittest

import chess
import chess.pgn

import tabiya

POSITIONS = int(os.environ.get("TABIYA_POSITIONS", "2000"))
GAMES = int(os.environ.get("TABIYA_GAMES", "40"))
PGN = os.environ.get("TABIYA_PGN") or pathlib.Path(__file__).parents[2] / "notation/tests/data/games.pgn"
SEED = int(os.environ.get("TABIYA_SEED", "1"))


def engine_game(number):
    """A game between two levels of the engine, as PGN."""
    board = tabiya.Board()
    players = [tabiya.Engine(level=number % 7 + 1, seed=number), tabiya.Engine(level=number // 7 % 7 + 1, seed=~number % 2**32)]
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        move = players[board.ply() % 2].best_move(board, nodes=20)
        if board.ply() < 4:
            # The first moves differ from game to game.
            moves = board.legal_move_list()
            move = moves[(number * 7919 + board.ply() * 104729) % len(moves)]
        board.push(move)
    game = tabiya.Game.from_board(board)
    game.headers["Result"] = board.result(claim_draw=True)
    return str(game)


def start(number, generator):
    """A pair of boards to start from: the usual one, Chess960, or a few odd pieces."""
    kind = number % 4
    if kind == 1:
        scharnagl = generator.randrange(960)
        return chess.Board.from_chess960_pos(scharnagl), tabiya.Board.from_chess960_pos(scharnagl)
    if kind == 2:
        while True:
            theirs = chess.Board(None)
            squares = generator.sample(range(64), generator.randrange(3, 8))
            kings = [chess.Piece(chess.KING, True), chess.Piece(chess.KING, False)]
            others = [chess.Piece(generator.randrange(1, 6), bool(generator.randrange(2))) for _ in squares[2:]]
            for square, piece in zip(squares, kings + others):
                theirs.set_piece_at(square, piece)
            theirs.halfmove_clock = generator.choice([0, 60, 95, 145])
            if theirs.is_valid():
                return theirs, tabiya.Board(theirs.fen())
    return chess.Board(), tabiya.Board()


class SameAnswers(unittest.TestCase):
    def compare(self, theirs, ours):
        fen = theirs.fen()
        self.assertEqual(fen, ours.fen())
        self.assertEqual(theirs.fen(en_passant="fen"), ours.fen(en_passant="fen"))
        self.assertEqual(theirs.fen(en_passant="xfen"), ours.fen(en_passant="xfen"))
        self.assertEqual(theirs.shredder_fen(), ours.shredder_fen(), fen)
        self.assertEqual(theirs.epd(), ours.epd())
        moves = {move.uci(): move for move in theirs.legal_moves}
        own = {move.uci(): move for move in ours.legal_moves}
        self.assertEqual(set(moves), set(own), fen)
        self.assertEqual(theirs.legal_moves.count(), len(ours.legal_moves))
        for text, move in moves.items():
            mine = own[text]
            self.assertEqual(theirs.san(move), ours.san(mine), fen)
            self.assertEqual(theirs.lan(move), ours.lan(mine), fen)
            self.assertEqual(theirs.is_capture(move), ours.is_capture(mine), fen)
            self.assertEqual(theirs.is_zeroing(move), ours.is_zeroing(mine), fen)
            self.assertEqual(theirs.gives_check(move), ours.gives_check(mine), fen)
            self.assertEqual(theirs.is_castling(move), ours.is_castling(mine), fen)
            self.assertEqual(theirs.is_en_passant(move), ours.is_en_passant(mine), fen)
            self.assertEqual(theirs.is_irreversible(move), ours.is_irreversible(mine), (fen, text))
            self.assertEqual(ours.parse_san(theirs.san(move)), mine, fen)
        captures = {move.uci() for move in theirs.generate_legal_captures()}
        self.assertEqual(captures, {move.uci() for move in ours.generate_legal_captures()}, fen)
        for name in (
            "is_check is_checkmate is_stalemate is_insufficient_material is_seventyfive_moves is_fifty_moves "
            "is_fivefold_repetition is_repetition can_claim_draw can_claim_fifty_moves can_claim_threefold_repetition "
            "is_game_over result ply has_legal_en_passant checkers_mask clean_castling_rights board_fen __str__ "
            "castling_xfen castling_shredder_fen"
        ).split():
            self.assertEqual(getattr(theirs, name)(), getattr(ours, name)(), (name, fen))
        for name in "turn halfmove_clock fullmove_number ep_square pawns knights bishops rooks queens kings occupied".split():
            self.assertEqual(getattr(theirs, name), getattr(ours, name), (name, fen))
        for claim in (False, True):
            outcome, own_outcome = theirs.outcome(claim_draw=claim), ours.outcome(claim_draw=claim)
            if outcome is None or own_outcome is None:
                self.assertEqual(outcome, own_outcome, fen)
            else:
                self.assertEqual(outcome.termination.name, own_outcome.termination.name, fen)
                self.assertEqual(outcome.winner, own_outcome.winner, fen)
        for color in (True, False):
            self.assertEqual(theirs.has_insufficient_material(color), ours.has_insufficient_material(color), fen)
            self.assertEqual(theirs.king(color), ours.king(color))
            for square in range(64):
                self.assertEqual(theirs.pin_mask(color, square), ours.pin_mask(color, square), (fen, color, square))
                self.assertEqual(theirs.attackers_mask(color, square), ours.attackers_mask(color, square), fen)
        for square in range(64):
            self.assertEqual(theirs.attacks_mask(square), ours.attacks_mask(square), fen)
        mirrored, own_mirrored = theirs.mirror(), ours.mirror()
        self.assertEqual(mirrored.fen(), own_mirrored.fen())
        self.assertEqual(
            {square: piece.symbol() for square, piece in theirs.piece_map().items()},
            {square: piece.symbol() for square, piece in ours.piece_map().items()},
        )
        self.assertEqual(theirs.unicode(borders=True), ours.unicode(borders=True))

    def test_positions_of_random_games(self):
        generator = random.Random(SEED)
        compared, number = 0, 0
        while compared < POSITIONS:
            theirs, ours = start(number, generator)
            number += 1
            for _ in range(120):
                self.compare(theirs, ours)
                compared += 1
                moves = sorted(theirs.legal_moves, key=lambda move: move.uci())
                if not moves or compared >= POSITIONS:
                    break
                # Often the last move back, so that positions repeat.
                last = theirs.peek() if theirs.move_stack else None
                back = None
                if len(theirs.move_stack) > 1 and generator.random() < 0.5:
                    last = theirs.move_stack[-2]
                    back = chess.Move(last.to_square, last.from_square)
                move = back if back in moves else generator.choice(moves)
                ours.push(tabiya.Move.from_uci(move.uci()))
                theirs.push(move)
            self.assertEqual([move.uci() for move in theirs.move_stack], [move.uci() for move in ours.move_stack])
            again = tabiya.Board.from_chess(theirs)
            self.assertEqual(again, ours)
            self.assertEqual(again.move_stack, ours.move_stack)
            self.assertEqual(ours.to_chess(), theirs)
            for _ in range(len(theirs.move_stack)):
                theirs.pop()
                ours.pop()
            self.assertEqual(theirs.fen(), ours.fen())

    def compare_game(self, theirs, ours, row):
        self.assertEqual({name: theirs.headers.get(name) for name in ours.headers}, dict(ours.headers))
        moves = [move.uci() for move in theirs.mainline_moves()]
        self.assertEqual(moves, [move.uci() for move in ours.mainline_moves()])
        self.assertEqual(moves, [move.uci() for move in row.moves])
        self.assertEqual(theirs.headers["Result"], row.result)
        fens, sans = row.fens(), row.sans()
        board, own = theirs.board(), ours.board()
        for ply, move in enumerate([*theirs.mainline_moves(), None]):
            fen = board.fen()
            self.assertEqual(fen, own.fen())
            self.assertEqual(tabiya.Board(fens[ply]), own)
            self.assertEqual({move.uci() for move in board.legal_moves}, {move.uci() for move in own.legal_moves}, fen)
            outcome, own_outcome = board.outcome(claim_draw=True), own.outcome(claim_draw=True)
            self.assertEqual(outcome and outcome.termination.name, own_outcome and own_outcome.termination.name, fen)
            self.assertEqual(outcome and outcome.winner, own_outcome and own_outcome.winner, fen)
            if move is not None:
                self.assertEqual(board.san(move), sans[ply])
                board.push(move)
                own.push_san(sans[ply])
        return len(moves)

    def test_games(self):
        file = open(PGN, encoding="utf-8", errors="replace")
        own_file = tabiya.read_games(PGN)
        rows = iter(tabiya.read_pgn(PGN))
        self.addCleanup(file.close)
        played = moves = 0
        for number in range(GAMES):
            theirs, ours, row = chess.pgn.read_game(file), next(own_file, None), next(rows, None)
            if theirs is None:
                self.assertIsNone(ours)
                self.assertIsNone(row)
                text = engine_game(number + GAMES * (SEED - 1))
                theirs = chess.pgn.read_game(io.StringIO(text))
                (ours,) = tabiya.read_games(text.encode())
                row = tabiya.read_pgn(text.encode())[0]
                played += 1
            self.assertEqual(theirs.errors, [])
            moves += self.compare_game(theirs, ours, row)
        print(f"{GAMES} games with {moves} moves, {played} of them played by the engine, are the same")

    def test_polyglot_keys(self):
        import chess.polyglot

        generator = random.Random(SEED)
        board = chess.Board()
        for _ in range(200):
            self.assertEqual(chess.polyglot.zobrist_hash(board), tabiya.Board.from_chess(board).key, board.fen())
            if board.is_game_over():
                board.reset()
            board.push(generator.choice(list(board.legal_moves)))

    def test_geometry(self):
        for a in range(64):
            for b in range(64):
                self.assertEqual(chess.SquareSet.between(a, b).mask, tabiya.SquareSet.between(a, b).mask)
                self.assertEqual(chess.SquareSet.ray(a, b).mask, tabiya.SquareSet.ray(a, b).mask)
                for name in ("square_distance", "square_manhattan_distance", "square_knight_distance"):
                    self.assertEqual(getattr(chess, name)(a, b), getattr(tabiya, name)(a, b), (name, a, b))
        for name in dir(tabiya.squares):
            value = getattr(tabiya.squares, name)
            if name.isupper() and hasattr(chess, name):
                self.assertEqual(value, getattr(chess, name), name)


if __name__ == "__main__":
    unittest.main()
