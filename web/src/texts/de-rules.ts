/**
 * The sentences of the rules in German. The rules speak English; each of their sentences has its pattern here. One
 * without a pattern stays English, and says so to screen readers. A test asks for the reasons of every move of many
 * positions and finds no sentence without a pattern.
 */

const NAMES: Record<string, string> = {
  pawn: "Bauer",
  knight: "Springer",
  bishop: "Läufer",
  rook: "Turm",
  queen: "Dame",
  king: "König",
};
const COLORS: Record<string, string> = { White: "Weiß", Black: "Schwarz" };

const isFeminine = (role: string) => role === "queen";
const the = (role: string) => `${isFeminine(role) ? "die" : "der"} ${NAMES[role]}`;
const toThe = (role: string) => `${isFeminine(role) ? "der" : "dem"} ${NAMES[role]}`;

const accusative = (role: string) => (role === "pawn" ? "Bauern" : NAMES[role]);
const theOne = (role: string) => `${isFeminine(role) ? "die" : "den"} ${accusative(role)}`;

const HOW: Record<string, string> = {
  "pawns move one square forward, or two from their starting square":
    "Bauern ziehen ein Feld vorwärts, vom Ausgangsfeld auch zwei",
  "knights move two squares in one direction and one square to the side":
    "Springer ziehen zwei Felder in eine Richtung und eines zur Seite",
  "bishops move diagonally": "Läufer ziehen diagonal",
  "rooks move along ranks and files": "Türme ziehen auf Reihen und Linien",
  "queens move along ranks, files and diagonals": "Damen ziehen auf Reihen, Linien und Diagonalen",
  "kings move one square in any direction": "Könige ziehen ein Feld in jede Richtung",
  "pawns never move backwards": "Bauern ziehen nie rückwärts",
  "pawns move two squares only from their starting square": "Bauern ziehen nur vom Ausgangsfeld zwei Felder",
  "the king can't castle because it has moved": "der König kann nicht rochieren, weil er schon gezogen hat",
  "the move is incomplete": "der Zug ist unvollständig",
  "a null move is not a legal move": "ein Nullzug ist kein erlaubter Zug",
};

/** `{p}` is a piece, `{s}` a square, `{c}` a colour, `{w}` castling's side, `{*}` anything. */
const PATTERNS: [string, (...words: string[]) => string | null][] = [
  ["there is no piece on {s}", (s) => `auf ${s} steht keine Figur`],
  [
    "the {p} on {s} is {c}'s, but it's {c}'s turn",
    (p, s, owner, turn) => `${the(p!)} auf ${s} gehört ${COLORS[owner!]}, aber ${COLORS[turn!]} ist am Zug`,
  ],
  ["the move starts and ends on {s}", (s) => `der Zug beginnt und endet auf ${s}`],
  ["the {p} on {s} is in the way", (p, s) => `${the(p!)} auf ${s} steht im Weg`],
  [
    "your own {p} is on {s}",
    (p, s) => `auf ${s} steht ${isFeminine(p!) ? "deine eigene" : "dein eigener"} ${NAMES[p!]}`,
  ],
  [
    "the {p} on {s} blocks the pawn; pawns capture only diagonally",
    (p, s) => `${the(p!)} auf ${s} hält den Bauern auf: Bauern schlagen nur diagonal`,
  ],
  [
    "pawns move diagonally only to capture, and {s} is empty",
    (s) => `Bauern ziehen nur diagonal, um zu schlagen, und ${s} ist leer`,
  ],
  [
    "the pawn on {s} can't be captured en passant: it didn't just move two squares",
    (s) => `der Bauer auf ${s} kann nicht en passant geschlagen werden: Er ist nicht gerade zwei Felder gezogen`,
  ],
  [
    "the pawn promotes on {s}: choose a queen, rook, bishop or knight",
    (s) => `der Bauer wird auf ${s} umgewandelt: Wähle Dame, Turm, Läufer oder Springer`,
  ],
  [
    "the pawn promotes on {s}: choose a queen, rook, bishop or knight, as in {*}",
    (s, move) => `der Bauer wird auf ${s} umgewandelt: Wähle Dame, Turm, Läufer oder Springer, etwa mit ${move}`,
  ],
  [
    "pawns promote to a queen, rook, bishop or knight, not to a {p}",
    (p) => `Bauern werden Dame, Turm, Läufer oder Springer, nicht ${NAMES[p!]}`,
  ],
  [
    "pawns promote only on the last rank, not on {s}",
    (s) => `Bauern werden nur auf der letzten Reihe umgewandelt, nicht auf ${s}`,
  ],
  [
    "only pawns promote, and this is a {p}",
    (p) => `nur Bauern werden umgewandelt, und das ist ${isFeminine(p!) ? "eine" : "ein"} ${NAMES[p!]}`,
  ],
  [
    "the {p} on {s} would attack the king on {s}",
    (p, s, king) => `${the(p!)} auf ${s} würde den König auf ${king} angreifen`,
  ],
  [
    "the king on {s} would still be in check from the {p} on {s}",
    (king, p, s) => `der König auf ${king} stünde weiter im Schach, von ${toThe(p!)} auf ${s}`,
  ],
  [
    "the {p} on {s} is pinned to the king on {s} by the {p} on {s}",
    (p, s, king, by, at) => `${the(p!)} auf ${s} ist an den König auf ${king} gefesselt, von ${toThe(by!)} auf ${at}`,
  ],
  [
    "capturing en passant would expose the king on {s} to the {p} on {s}",
    (king, p, s) => `en passant zu schlagen würde den König auf ${king} ${toThe(p!)} auf ${s} aussetzen`,
  ],
  [
    "the king can't castle because the rook on {s} has moved",
    (s) => `der König kann nicht rochieren, weil der Turm auf ${s} schon gezogen hat`,
  ],
  [
    "the king can't castle because it or the rook on {s} has moved",
    (s) => `der König kann nicht rochieren, weil er oder der Turm auf ${s} schon gezogen hat`,
  ],
  [
    "the king can't castle {w} because there is no rook to castle with",
    (w) => `der König kann nicht ${sideName(w!)} rochieren, weil dort kein Turm dafür steht`,
  ],
  [
    "the king can't castle while in check from the {p} on {s}",
    (p, s) => `der König kann nicht rochieren, solange er im Schach steht, von ${toThe(p!)} auf ${s}`,
  ],
  [
    "the king can't castle because the {p} on {s} attacks {s}",
    (p, s, square) => `der König kann nicht rochieren, weil ${the(p!)} auf ${s} das Feld ${square} angreift`,
  ],
  [
    "the king can't castle because the {p} on {s} is in the way",
    (p, s) => `der König kann nicht rochieren, weil ${the(p!)} auf ${s} im Weg steht`,
  ],
  ["no {p} can move to {s}", (p, s) => `${isFeminine(p!) ? "keine" : "kein"} ${NAMES[p!]} kann nach ${s} ziehen`],
  [
    "the king on {s} is in double check, so only the king can move",
    (s) => `der König auf ${s} steht im Doppelschach, also kann nur er ziehen`,
  ],
  [
    "the king on {s} is in check from the {p} on {s}, and the {p} can neither capture it nor block the check",
    (king, by, s, p) =>
      `der König auf ${king} steht im Schach von ${toThe(by!)} auf ${s}, und ${the(p!)} kann weder schlagen noch ` +
      `dazwischenziehen`,
  ],
  ["your own {*} is in the way", (pieces) => blockers(pieces!, "steht")],
  ["your own {*} are in the way", (pieces) => blockers(pieces!, "stehen")],
  // What a legal move does.
  ["{*}: checkmate", (rest) => and(rest!, ": Schachmatt")],
  ["{*}: stalemate", (rest) => and(rest!, ": Patt")],
  ["{*}, with check", (rest) => and(rest!, ", mit Schach")],
  ["{*} and becomes a {p}", (rest, p) => and(rest!, ` und wird ${NAMES[p!]}`)],
  [
    "the pawn on {s} captures the pawn on {s} en passant and lands on {s}",
    (from, pawn, to) => `der Bauer auf ${from} schlägt den Bauern auf ${pawn} en passant und landet auf ${to}`,
  ],
  ["the {p} on {s} captures the {p} on {s}", (p, s, q, to) => `${the(p!)} auf ${s} schlägt ${theOne(q!)} auf ${to}`],
  [
    "{c} castles {w}: {*} and {*}",
    (c, w, king, rook) => {
      const [first, second] = [clause(king!), clause(rook!)];
      return first && second ? `${COLORS[c!]} rochiert ${sideName(w!)}: ${first}, und ${second}` : null;
    },
  ],
  ["the {p} moves from {s} to {s}", (p, from, to) => `${the(p!)} zieht von ${from} nach ${to}`],
  ["the {p} stays on {s}", (p, s) => `${the(p!)} bleibt auf ${s}`],
];

const sideName = (side: string) => (side === "kingside" ? "kurz" : "lang");

function blockers(pieces: string, verb: string): string | null {
  const names = pieces.split(/, | and /).map((text) => {
    const [, role, square] = /^(\w+) on (\w\d)$/.exec(text) ?? [];
    return role && NAMES[role] ? `${NAMES[role]} auf ${square}` : null;
  });
  if (names.includes(null)) return null;
  const last = names.pop();
  return `im Weg ${verb} ${names.length ? `${names.join(", ")} und ${last}` : last}`;
}

function and(rest: string, more: string): string | null {
  const before = clause(rest);
  return before && before + more;
}

const parts: Record<string, string> = {
  p: "(pawn|knight|bishop|rook|queen|king)",
  s: "([a-h][1-8])",
  c: "(White|Black)",
  w: "(kingside|queenside)",
  "*": "(.+)",
};
const compiled = PATTERNS.map(([pattern, write]) => {
  const source = pattern.replace(/\{(.)\}/g, (_, name: string) => parts[name]!);
  return [new RegExp(`^${source}$`), write] as const;
});

/** A part of a sentence, without its full stop. */
function clause(text: string): string | null {
  if (HOW[text]) return HOW[text];
  for (const [pattern, write] of compiled) {
    const found = pattern.exec(text);
    const written = found && write(...found.slice(1));
    if (written) return written;
  }
  return null;
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** Translates a sentence of the rules; `null` if it is not known. */
export function german(sentence: string): string | null {
  const end = /^(.+\.) It's (checkmate: (White|Black) wins|stalemate: a draw)\.$/.exec(sentence);
  if (end) {
    const before = german(end[1]!);
    return before && `${before} ${end[3] ? `Schachmatt: ${COLORS[end[3]]} gewinnt.` : "Patt: remis."}`;
  }
  const text = sentence
    .replace(/\.$/, "")
    .replace(/^(The|There|Your|Pawns|Knights|Bishops|Rooks|Queens|Kings|Only|Capturing|No|A)\b/, (word) =>
      word.toLowerCase(),
    );
  const stuck = /^the (\w+) on (\w\d) can't move: (.+)$/.exec(text);
  if (stuck) {
    const reasons = splitReasons(stuck[3]!).map(clause);
    return reasons.includes(null)
      ? null
      : `${capital(the(stuck[1]!))} auf ${stuck[2]} kann nicht ziehen: ${reasons.join("; ")}.`;
  }
  const written = clause(text);
  return written && `${capital(written)}.`;
}

/** One of the reasons has a semicolon of its own. */
function splitReasons(text: string): string[] {
  return text.split(/; (?!pawns capture only)/);
}
