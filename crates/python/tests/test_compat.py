"""python-chess's spelling: the same answers as python-chess, on boards that ours refuse too.

TABIYA_POSITIONS sets how many positions are compared, TABIYA_SEED which.
"""

import copy
import io
import os
import pickle
import random
import tempfile
import textwrap
import unittest

import chess
import chess.pgn
import chess.polyglot

import tabiya
import tabiya.compat as ours
import tabiya.compat.engine
import tabiya.compat.pgn
import tabiya.compat.polyglot
import tabiya.compat.svg
import tabiya.encode

POSITIONS = int(os.environ.get("TABIYA_POSITIONS", "2000"))
SEED = int(os.environ.get("TABIYA_SEED", "1"))


def uci(moves):
    return sorted(move.uci() for move in moves)


class SameAnswers(unittest.TestCase):
    """On positions of random play, legal and not."""

    def compare(self, theirs, mine):
        fen = theirs.fen(en_passant="fen")
        for en_passant in ("legal", "xfen", "fen"):
            self.assertEqual(theirs.fen(en_passant=en_passant), mine.fen(en_passant=en_passant), fen)
        self.assertEqual(theirs.shredder_fen(), mine.shredder_fen(), fen)
        for name in (
            "is_check is_checkmate is_stalemate is_insufficient_material is_seventyfive_moves is_fifty_moves "
            "is_fivefold_repetition is_repetition can_claim_draw can_claim_fifty_moves can_claim_threefold_repetition "
            "is_game_over result ply has_legal_en_passant has_pseudo_legal_en_passant checkers_mask was_into_check "
            "clean_castling_rights board_fen __str__ castling_xfen castling_shredder_fen is_valid chess960_pos epd "
            "has_chess960_castling_rights"
        ).split():
            self.assertEqual(getattr(theirs, name)(), getattr(mine, name)(), (name, fen))
        self.assertEqual(int(theirs.status()), int(mine.status()), fen)
        for name in (
            "turn halfmove_clock fullmove_number ep_square pawns knights bishops rooks queens kings occupied "
            "castling_rights"
        ).split():
            self.assertEqual(getattr(theirs, name), getattr(mine, name), (name, fen))
        for color in (True, False):
            self.assertEqual(theirs.occupied_co[color], mine.occupied_co[color])
            self.assertEqual(theirs.king(color), mine.king(color))
            for name in (
                "has_insufficient_material has_castling_rights has_kingside_castling_rights "
                "has_queenside_castling_rights"
            ).split():
                self.assertEqual(getattr(theirs, name)(color), getattr(mine, name)(color), (name, fen))
            for square in range(64):
                self.assertEqual(theirs.attackers_mask(color, square), mine.attackers_mask(color, square), fen)
                self.assertEqual(theirs.pin_mask(color, square), mine.pin_mask(color, square), (fen, color, square))
        self.assertEqual([theirs.attacks_mask(s) for s in range(64)], [mine.attacks_mask(s) for s in range(64)])
        for name in (
            "generate_legal_moves generate_pseudo_legal_moves generate_legal_captures generate_pseudo_legal_captures "
            "generate_legal_ep generate_pseudo_legal_ep generate_castling_moves"
        ).split():
            self.assertEqual(uci(getattr(theirs, name)()), uci(getattr(mine, name)()), (name, fen))
        legal = uci(theirs.legal_moves)
        self.assertEqual(len(legal), mine.legal_moves.count())
        self.assertEqual(bool(legal), bool(mine.legal_moves))
        for text in uci(theirs.pseudo_legal_moves):
            move, own = chess.Move.from_uci(text), ours.Move.from_uci(text)
            for name in (
                "is_legal is_pseudo_legal is_capture is_zeroing is_castling is_en_passant gives_check is_irreversible "
                "is_into_check is_kingside_castling is_queenside_castling uci xboard"
            ).split():
                self.assertEqual(getattr(theirs, name)(move), getattr(mine, name)(own), (name, fen, text))
            if text in legal:
                san = theirs.san(move)
                self.assertEqual(san, mine.san(own), fen)
                self.assertEqual(theirs.lan(move), mine.lan(own), fen)
                self.assertEqual(mine.parse_san(san), own, fen)
        for mask in (chess.BB_RANK_1, chess.BB_CENTER | chess.BB_H1):
            self.assertEqual(uci(theirs.generate_legal_moves(mask)), uci(mine.generate_legal_moves(mask)), fen)
            self.assertEqual(
                uci(theirs.generate_legal_moves(to_mask=mask)), uci(mine.generate_legal_moves(to_mask=mask)), fen
            )
        self.assertEqual(theirs.mirror().fen(), mine.mirror().fen())

    def start(self, number, generator):
        kind = number % 4
        if kind == 1:
            scharnagl = generator.randrange(960)
            return chess.Board.from_chess960_pos(scharnagl), ours.Board.from_chess960_pos(scharnagl)
        theirs, mine = chess.Board(), ours.Board()
        if kind == 2:
            theirs, mine = chess.Board(None), ours.Board(None)
        if kind >= 2:
            for _ in range(generator.randrange(8)):
                square = generator.randrange(64)
                symbol = generator.choice("pnbrqkPNBRQK" if kind == 2 else "nbrqNBRQ")
                # python-chess lets pawns on the first rank make double steps, as in Horde.
                if symbol in "pP" and not 8 <= square < 56:
                    continue
                # Which of several kings counts, nobody says.
                if symbol in "kK" and theirs.king(symbol == "K") is not None:
                    continue
                theirs.set_piece_at(square, chess.Piece.from_symbol(symbol))
                mine.set_piece_at(square, ours.Piece.from_symbol(symbol))
            theirs.turn = mine.turn = bool(generator.randrange(2))
            theirs.halfmove_clock = mine.halfmove_clock = generator.choice([0, 97, 148])
        return theirs, mine

    def test_positions_of_random_play(self):
        generator, compared, number = random.Random(SEED), 0, 0
        while compared < POSITIONS // 4:
            theirs, mine = self.start(number, generator)
            number += 1
            kings = theirs.occupied_co[True] & theirs.kings, theirs.occupied_co[False] & theirs.kings
            counts = [chess.popcount(mask) for mask in kings]
            for _ in range(generator.randrange(1, 40)):
                self.compare(theirs, mine)
                compared += 1
                # Now and then a move that the rules forbid, or none.
                kind = generator.randrange(20)
                moves = uci(theirs.pseudo_legal_moves if kind == 0 else theirs.legal_moves)
                if not moves:
                    break
                text = "0000" if kind == 1 else generator.choice(moves)
                theirs.push(chess.Move.from_uci(text))
                mine.push(ours.Move.from_uci(text))
                self.assertEqual(theirs.peek().uci(), mine.peek().uci())
                # Once a king is captured, python-chess keeps castling rights that are of no use.
                is_king_captured = counts != [
                    chess.popcount(theirs.occupied_co[color] & theirs.kings) for color in (True, False)
                ]
                if kind == 2 or is_king_captured:
                    self.assertEqual(theirs.pop().uci(), mine.pop().uci())
                if is_king_captured:
                    break
            self.assertEqual(uci(theirs.move_stack), uci(mine.move_stack))
            self.compare(copy.copy(theirs), copy.copy(mine))
            while theirs.move_stack:
                self.assertEqual(theirs.pop().uci(), mine.pop().uci())
                self.assertEqual(theirs.fen(en_passant="fen"), mine.fen(en_passant="fen"))
            self.assertEqual(theirs.is_repetition(1), mine.is_repetition(1))

    def test_games_read_and_written(self):
        generator = random.Random(SEED)
        for _ in range(20):
            game = chess.pgn.Game()
            nodes = [game]
            for _ in range(60):
                node = generator.choice(nodes[-6:])
                moves = list(node.board().legal_moves)
                if moves and not node.has_variation(move := generator.choice(moves)):
                    comment = generator.choice(["", "", "good", "[%clk 0:01:02] [%eval -1.25]"])
                    nodes.append(node.add_variation(move, comment=comment, nags=generator.choice([(), (1, 5)])))
            text = str(game)
            mine = ours.pgn.read_game(io.StringIO(text))
            self.assertEqual(str(mine), text)
            theirs = chess.pgn.read_game(io.StringIO(text))
            self.assertEqual(
                str(theirs.accept(chess.pgn.StringExporter(comments=False))),
                str(mine.accept(ours.pgn.StringExporter(comments=False))),
            )
            for columns in (40, 80):
                self.assertEqual(
                    theirs.accept(chess.pgn.StringExporter(columns=columns)),
                    mine.accept(ours.pgn.StringExporter(columns=columns)),
                )
            self.assertEqual(theirs.end().eval() is None, mine.end().eval() is None)


class Boards(unittest.TestCase):
    def test_impossible_boards(self):
        board = ours.Board(None)
        self.assertEqual(board.fen(), "8/8/8/8/8/8/8/8 w - - 0 1")
        self.assertEqual(list(board.legal_moves), [])
        board.set_piece_at(ours.A1, ours.Piece.from_symbol("K"))
        board.set_piece_at(ours.B1, ours.Piece.from_symbol("r"))
        self.assertEqual([board.san(move) for move in board.legal_moves], ["Ka2", "Kxb1"])
        self.assertEqual(board.status(), ours.STATUS_NO_BLACK_KING)
        board.turn = ours.BLACK
        self.assertEqual(board.status(), ours.STATUS_NO_BLACK_KING | ours.STATUS_OPPOSITE_CHECK)

    def test_changes_after_moves_can_be_taken_back(self):
        board = ours.Board()
        for san in ("e4", "e5", "Nf3", "Nc6"):
            board.push_san(san)
        fen = board.fen()
        board.castling_rights = ours.BB_H1
        self.assertIn(" K ", board.fen())
        board.push(ours.Move.from_uci("a1e7"))
        board.push(ours.Move.null())
        self.assertEqual(board.pop(), ours.Move.null())
        board.turn = ours.WHITE
        self.assertTrue(board.was_into_check())
        self.assertEqual(board.pop().uci(), "a1e7")
        self.assertEqual(board.pop().uci(), "b8c6")
        board.push_san("Nc6")
        self.assertEqual(board.fen(), fen)
        self.assertEqual([move.uci() for move in board.move_stack], ["e2e4", "e7e5", "g1f3", "b8c6"])

    def test_copies_are_apart_and_boards_are_pickled(self):
        board = ours.Board()
        board.push_san("e4")
        other = copy.deepcopy(board)
        other.push_san("e5")
        board.set_piece_at(ours.A1, None)
        self.assertEqual(other.pop().uci(), "e7e5")
        self.assertEqual(other.pop().uci(), "e2e4")
        self.assertEqual(other, ours.Board())
        shuffled = ours.Board.from_chess960_pos(3)
        shuffled.push(next(iter(shuffled.legal_moves)))
        again = pickle.loads(pickle.dumps(shuffled))
        self.assertEqual((again, again.move_stack, again.chess960), (shuffled, shuffled.move_stack, True))
        self.assertEqual(len(other.copy(stack=False).move_stack), 0)

    def test_a_bad_fen_changes_nothing(self):
        board = ours.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9")
        empty = "8/8/8/8/8/8/8/"
        for fen in ("", empty, f"{empty}9 w - - 0 1", f"{empty}8 x - - 0 1", f"{empty}8 w - z9 0 1", f"{empty}8 w - - x 1"):
            with self.assertRaises(ValueError):
                board.set_fen(fen)
        for epd in ("8/8", f"{empty}9 w - -", f"{empty}8 w - - 0 1", f"{empty}8 w - - bm e4;"):
            with self.assertRaises(ValueError):
                board.set_epd(epd)
        self.assertEqual(board.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9")

    def test_moves_that_are_dropped_are_read_but_not_played(self):
        move = ours.Move.from_uci("N@f3")
        self.assertEqual((move.drop, move.to_square, move.uci()), (ours.KNIGHT, ours.F3, "N@f3"))
        self.assertNotEqual(move, ours.Move(ours.F3, ours.F3))
        self.assertEqual(pickle.loads(pickle.dumps(move)), move)
        self.assertFalse(ours.Board().is_legal(move))
        with self.assertRaises(ValueError):
            ours.Board().push(move)
        with self.assertRaises(tabiya.IllegalMoveError) as refused:
            tabiya.Board().push(move)
        self.assertEqual(refused.exception.reason, "drop")
        with self.assertRaises(ValueError):
            tabiya.encode.policy_index(move)
        for text in ("X@f3", "@f3", "N@f9", "N@f33", "n@f3", "N@"):
            with self.assertRaises(ours.InvalidMoveError):
                ours.Move.from_uci(text)

    def test_operations_of_an_epd(self):
        board, operations = ours.Board.from_epd('4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 Kf2; pv e4 Ke7; id "a;b"; ce -12;')
        self.assertEqual(uci(operations["bm"]), ["e1f2", "e2e4"])
        self.assertEqual([move.uci() for move in operations["pv"]], ["e2e4", "e8e7"])
        self.assertEqual((operations["id"], operations["ce"]), ("a;b", -12))
        text = board.epd(**operations)
        self.assertEqual(text, '4k3/8/8/8/8/8/4P3/4K3 w - - bm Kf2 e4; pv e4 Ke7; id "a;b"; ce -12;')


class Pgn(unittest.TestCase):
    def test_games_that_follow_each_other_without_an_empty_line(self):
        file = io.StringIO('[Event "A"]\n\n1. e4 *\n[Event "B"]\n\n1. d4 *\n')
        first, second = ours.pgn.read_game(file), ours.pgn.read_game(file)
        self.assertEqual([first.headers["Event"], second.headers["Event"]], ["A", "B"])
        self.assertEqual([first.end().san(), second.end().san()], ["e4", "d4"])
        self.assertIsNone(ours.pgn.read_game(file))
        # After a jump in the file, the line that was read too far is forgotten.
        file.seek(0)
        ours.pgn.read_game(file)
        file.seek(0)
        self.assertEqual(ours.pgn.read_headers(file)["Event"], "A")

    def test_an_error_is_kept_and_reading_goes_on(self):
        file = io.StringIO("1. e4 e5 2. Ke3 Nf6 (2... d6) 3. d4 *\n\n1. d4 *\n")
        with self.assertLogs("tabiya.compat.pgn", "ERROR"):
            game = ours.pgn.read_game(file)
        self.assertEqual([type(error) for error in game.errors], [ours.IllegalMoveError])
        self.assertEqual(game.end().san(), "e5")
        self.assertEqual(ours.pgn.read_game(file).end().san(), "d4")

    def test_a_bad_starting_position_is_an_error_of_the_game(self):
        with self.assertLogs("tabiya.compat.pgn", "ERROR"):
            game = ours.pgn.read_game(io.StringIO('[FEN "nonsense"]\n\n1. e4 *\n'))
        self.assertEqual((len(game.errors), game.variations), (1, []))

    def test_long_games_are_written(self):
        board = ours.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
        for move in ["a1a2", "e8e7", "a2a1", "e7e8"] * 1500:
            board.push(ours.Move.from_uci(move))
        self.assertIn("3000. Ra1 Ke8", str(ours.pgn.Game.from_board(board)))


class Books(unittest.TestCase):
    def test_a_book(self):
        board = ours.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        key = ours.polyglot.zobrist_hash(board)
        self.assertEqual(key, chess.polyglot.zobrist_hash(chess.Board(board.fen())))
        raw = [(4 << 6 | 7, 5), (4 << 6 | 12, 9), (0, 1)]
        data = b"".join(
            key.to_bytes(8, "big") + move.to_bytes(2, "big") + weight.to_bytes(2, "big") + bytes(4)
            for move, weight in raw
        )
        with tempfile.NamedTemporaryFile() as file:
            file.write(data + b"odd")
            file.flush()
            with ours.polyglot.open_reader(file.name) as book:
                self.assertEqual(len(book), 3)
                self.assertEqual(uci(entry.move for entry in book.find_all(board)), ["e1e2", "e1g1"])
                self.assertEqual(book.find(board).move.uci(), "e1e2")
                self.assertEqual(book.weighted_choice(board, random=random.Random(SEED)).weight in (5, 9), True)
                self.assertIsNone(book.get(ours.Board()))
        with self.assertRaises(ValueError):
            ours.polyglot.zobrist_hash(ours.Board(None))


class Engines(unittest.TestCase):
    def test_scores_are_ordered(self):
        engine = ours.engine
        scores = [engine.Mate(0), engine.Mate(-1), engine.Mate(-4), engine.Cp(-80), engine.Cp(0), engine.Mate(4)]
        scores += [engine.Mate(1), engine.MateGiven]
        self.assertEqual(sorted(reversed(scores)), scores)
        self.assertEqual(sorted(-score for score in scores), [-score for score in reversed(scores)])
        self.assertEqual(engine.Mate(3).score(mate_score=1000), 997)
        self.assertEqual(engine.Mate(-3).score(mate_score=1000), -997)
        self.assertEqual(engine.PovScore(engine.Cp(20), ours.BLACK).white(), engine.Cp(-20))

    def test_a_board_passes_to_an_engine_with_its_moves(self):
        board = ours.Board()
        board.push_san("e4")
        core = ours.engine._core(board)
        self.assertEqual((core.fen(), len(core.move_stack)), (board.fen(), 1))


class Pictures(unittest.TestCase):
    def test_arrows(self):
        text = ours.svg.board(ours.Board(None), arrows=[ours.svg.Arrow(0, 63, color="red"), (5, 5)])
        self.assertEqual((text.count("<line"), text.count("stroke:red"), text.count("<circle")), (1, 1, 2))
        self.assertEqual(ours.svg.Arrow.from_pgn("Ye2e4").pgn(), "Ye2e4")
        self.assertTrue(ours.Board()._repr_svg_().startswith("<svg"))


class Names(unittest.TestCase):
    # What python-chess has for what we don't have, or keeps for old programs.
    MISSING = {
        "BB_DIAG_ATTACKS", "BB_DIAG_MASKS", "BB_FILE_ATTACKS", "BB_FILE_MASKS", "BB_RANK_ATTACKS", "BB_RANK_MASKS",
        "BB_RAYS", "BaseBoardT", "BoardT",
    }  # fmt: skip

    def test_the_core_has_the_names_of_python_chess(self):
        names = {name for name in dir(chess) if not name.startswith("_") and name[0].isupper()}
        modules = {"Any", "Callable", "ClassVar"}
        theirs = {name for name in names if getattr(getattr(chess, name), "__module__", "chess") == "chess"} - modules
        self.assertLessEqual({name for name in theirs if not hasattr(ours, name)}, self.MISSING)
        for kind in ("Board", "BaseBoard", "SquareSet", "Move", "Piece"):
            public = {name for name in dir(getattr(chess, kind)) if not name.startswith("_")}
            # For tablebases, which we don't read.
            public = {name for name in public if "tbw" not in name and "tbz" not in name and name != "connected_kings"}
            self.assertEqual({name for name in public if not hasattr(getattr(ours, kind), name)}, set(), kind)


if __name__ == "__main__":
    unittest.main()
