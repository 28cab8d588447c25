"""Finds the games whose winner gave up the queen: queen_sacrifices.py GAMES.pgn"""

import sys

import tabiya


def sacrifice(game: tabiya.GameRow) -> int:
    """The ply at which the winner's queen was taken for less, or −1."""
    winner = {"1-0": tabiya.WHITE, "0-1": tabiya.BLACK}.get(game.result)
    board, queens = game.board(0), []
    for move in game.moves:
        board.push(move)
        queens.append(len(board.pieces(tabiya.QUEEN, tabiya.WHITE)) - len(board.pieces(tabiya.QUEEN, tabiya.BLACK)))
    if winner is None:
        return -1
    sign = 1 if winner == tabiya.WHITE else -1
    for ply in range(1, len(queens)):
        # Not an exchange: before, the queens were level, and neither the last nor the next move takes the other one.
        around = [sign * balance for balance in queens[max(ply - 2, 0) : ply + 3]]
        if sign * queens[ply] < 0 and sign * queens[ply - 1] == 0 and max(around[-2:]) < 0 and max(around) <= 0:
            return ply
        # The queen was taken, and mate came with the next move.
        if ply == len(queens) - 2 and sign * queens[ply] < 0 <= sign * queens[ply - 1] and board.is_checkmate():
            return ply
    return -1


def main(path: str) -> None:
    for game in tabiya.read_pgn(path):
        ply = sacrifice(game)
        if ply >= 0:
            san = game.sans()[ply - 1]
            print(f"{game.white} - {game.black} {game.result}: {ply // 2 + ply % 2}{'.' if ply % 2 else '...'} {san}")


if __name__ == "__main__":
    main(sys.argv[1])
