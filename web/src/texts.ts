/** All words of the page. Sentences about moves come from the rules. */

import type { BoardTexts } from "../board/board";
import { englishTexts } from "../board/board";
import { settings } from "./settings";

const en = {
  play: "Play", analyse: "Analyse", games: "Games", learn: "Learn", settings: "Settings", skip: "Skip to the board", menu: "Menu",
  // Setting up a game
  newGame: "New game", opponent: "Opponent", computer: "Computer", friendHere: "Friend, same board", friendLink: "Friend, by link",
  level: "Level", about: "about {rating}", fullStrength: "full strength", yourColor: "Your colour", white: "White", black: "Black",
  random: "Random", clock: "Clock", noClock: "No clock", minutes: "Minutes", increment: "Seconds per move", custom: "Custom", startPosition: "Start position",
  standard: "Standard", chess960: "Chess960", fromFen: "From a FEN", number960: "Number (0–959, empty for random)", startGame: "Play",
  invite: "Create a link", inviteText: "Send this address to your friend. The game begins when both are here:",
  inviteLocal: "This server listens to this computer only. Start it with `tabiya serve --host 0.0.0.0` to play over your network.",
  continueGame: "Continue your game",
  // Playing
  you: "You", yourTurn: "Your turn", theirTurn: "{name} is thinking", turnOf: "{color} to move", takeback: "Take back", hint: "Hint", resign: "Resign", draw: "Draw",
  offerDraw: "Offer a draw", claimDraw: "Claim a draw", rematch: "Rematch", flip: "Flip the board", first: "First move", previous: "Back", next: "Forward", last: "Last move",
  review: "Review the game", abort: "Abort", moveInput: "Type a move", moveInputHint: "e4, Nf3, O-O or e2e4", thinking: "Thinking…",
  confirmResign: "Resign this game?", confirmDraw: "Offer a draw?", confirmClaim: "Claim a draw by {reason}?", confirmAbort: "Leave this game without a result?",
  yes: "Yes", no: "No", cancel: "Cancel", close: "Close", ok: "OK", drawDeclined: "The computer declines the draw.", drawOffered: "{name} offers a draw.", accept: "Accept", decline: "Decline",
  takebackOffered: "{name} asks to take back a move.", offerSent: "Your friend has been asked.",
  friendMissing: "Waiting for your friend…", connectionLost: "The connection to the server is lost. Trying again…",
  resigned: "{color} resigned.", outOfTime: "{color} ran out of time.", outOfTimeDraw: "{color} ran out of time, but the opponent cannot mate: draw.", agreed: "Draw by agreement.", claimed: "Draw by {reason}.", aborted: "The game was left without a result.",
  wins: "{color} wins", drawn: "Draw", lookingBack: "You are looking back.", backToGame: "Back to the game", accuracy: "Accuracy", worstMove: "Worst move", noMistake: "no mistakes", reviewing: "Looking at the game… {done} of {all}",
  premoveSet: "Premove: {move}", premoveDropped: "The premove is not legal.", moves: "Moves", board: "Chessboard", noMoves: "No moves yet.", pieceStuck: "No legal moves.",
  // Analysis
  engine: "Engine", engineOn: "Engine on", lines: "Lines", depth: "depth {depth}", nodes: "{nodes} nodes", speed: "{speed}/s", evaluation: "Evaluation", wdl: "White wins {white} %, draw {draw} %, Black wins {black} %",
  threat: "Show the threat", mate: "Prove a mate", arrows: "Arrows", bestMove: "Play the best move", editor: "Board editor", import: "Open", export: "Save and share",
  pasteHere: "Paste a FEN or PGN", load: "Load", file: "Choose a file", dropHere: "Drop a PGN or FEN file here", copyFen: "Copy FEN", copyPgn: "Copy PGN", downloadPgn: "Save PGN", copyLink: "Copy link", copied: "Copied.",
  comment: "Comment", glyphs: "Glyphs", promoteVariation: "Promote variation", makeMainLine: "Make main line", deleteFromHere: "Delete from here", clearTree: "Clear all",
  report: "Report", makeReport: "Analyse the whole game", average: "Centipawn loss", inaccuracies: "Inaccuracies", mistakes: "Mistakes", blunders: "Blunders", nextMistake: "Next mistake", learnFrom: "Learn from your mistakes",
  findBetter: "{move} was played. Find a better move for {color}.", goodFind: "Good: {move}.", notBetter: "{move} is not better. Try again.", showSolution: "Show the solution", nextOne: "Next", learnDone: "That was the last one.", graph: "Evaluation of the game", stopReport: "Stop", noMistakesFor: "No mistakes of {color}.",
  gameOver: "The game is over.", checkmateHere: "Checkmate.", mateIn: "Moves to mate", prove: "Prove", proving: "Searching every move…", inCheckNoThreat: "There is no threat to show while in check.",
  engineLoading: "The engine is loading…", engineWaiting: "The engine cannot be reached. Trying again…", engineFailed: "The engine could not be started. Reload the page.", engineNative: "native", engineBrowser: "in the browser",
  badInput: "That is neither a FEN nor a PGN: {reason}", pgnProblem: "Line {line}, column {column}: {message}", tags: "Game", result: "Result",
  playFromHere: "Play from here", tree: "Move tree", opening: "Opening",
  // Editor
  sideToMove: "Side to move", castling: "Castling", clearBoard: "Empty board", startBoard: "Starting position", eraser: "Eraser", hand: "Move pieces", useBoard: "Analyse this position", kingside: "kingside", queenside: "queenside",
  // Games
  openCollection: "Open a PGN file", search: "Search", player: "White", opponentColumn: "Black", event: "Event", date: "Date", movesColumn: "Moves", gamesCount: "{shown} of {all} games", reading: "Reading… {percent} %", exportShown: "Save the listed games", myGames: "Your finished games", noGames: "No games are open. Choose a PGN file or drop one here.", more: "Show more", previousGame: "Previous game", nextGame: "Next game",
  // Learn
  loneTitle: "How a piece moves", loneHelp: "Choose a piece, click a square, and put other pieces in its way.", trainerTitle: "Name the squares", findSquare: "Click on", trainerStart: "Start: 30 seconds", score: "{right} right, {wrong} wrong", best: "Best: {best}", blockers: "Other pieces", piece: "Piece", trainerOver: "Time is up.", lonePlace: "Place", loneReach: "{count} squares", nameSquare: "Name the square", modeFind: "Find the square", modeName: "Name the square",
  // Settings
  language: "Language", system: "As the system", theme: "Colours", light: "Light", dark: "Dark", boardTheme: "Board", coordinates: "Coordinates", animation: "Animation", legalDots: "Show legal moves", premoves: "Premoves", autoQueen: "Always promote to a queen", sound: "Sound", themeWood: "Wood", themeSea: "Sea", themeForest: "Forest", themeSlate: "Slate", themeContrast: "High contrast",
  // Help
  help: "Keys", helpNext: "forward, back", helpEnds: "first move, last move", helpFlip: "flip the board", helpEngine: "engine on or off", helpArrows: "arrows on or off", helpThreat: "show the threat", helpBest: "play the best move", helpType: "type a move", helpBoard: "to the squares of the board; then arrow keys and Enter", helpHelp: "this help", helpHint: "hint", helpEsc: "let go of a piece, close a window", helpWords: "The move field also takes words: hint, draw, resign, undo, flip, last, clock.", helpDraw: "Right button: draw arrows and circles. Shift: red, Alt: blue, Ctrl: yellow.",
  // Words spoken
  announceMove: "{number} {san}: {words}", announceCheck: "Check.", updateReady: "A new version is ready. Reload the page to use it.", lostRules: "The page could not be loaded. Reload it.", notFound: "This address does not exist.",
};

export type TextKey = keyof typeof en;

const de: Record<TextKey, string> = {
  play: "Spielen", analyse: "Analyse", games: "Partien", learn: "Lernen", settings: "Einstellungen", skip: "Zum Brett springen", menu: "Menü",
  newGame: "Neue Partie", opponent: "Gegner", computer: "Computer", friendHere: "Freund, ein Brett", friendLink: "Freund, per Link",
  level: "Stufe", about: "etwa {rating}", fullStrength: "volle Stärke", yourColor: "Deine Farbe", white: "Weiß", black: "Schwarz",
  random: "Zufall", clock: "Uhr", noClock: "Ohne Uhr", minutes: "Minuten", increment: "Sekunden pro Zug", custom: "Eigene", startPosition: "Ausgangsstellung",
  standard: "Normal", chess960: "Chess960", fromFen: "Aus FEN", number960: "Nummer (0–959, leer für Zufall)", startGame: "Spielen",
  invite: "Link erzeugen", inviteText: "Schick diese Adresse deinem Freund. Die Partie beginnt, wenn beide da sind:",
  inviteLocal: "Dieser Server hört nur auf diesen Rechner. Starte ihn mit `tabiya serve --host 0.0.0.0`, um im Netz zu spielen.",
  continueGame: "Partie fortsetzen",
  you: "Du", yourTurn: "Du bist am Zug", theirTurn: "{name} denkt nach", turnOf: "{color} am Zug", takeback: "Zurücknehmen", hint: "Tipp", resign: "Aufgeben", draw: "Remis",
  offerDraw: "Remis anbieten", claimDraw: "Remis reklamieren", rematch: "Revanche", flip: "Brett drehen", first: "Erster Zug", previous: "Zurück", next: "Vor", last: "Letzter Zug",
  review: "Partie auswerten", abort: "Abbrechen", moveInput: "Zug eingeben", moveInputHint: "e4, Nf3, O-O oder e2e4", thinking: "Denkt nach…",
  confirmResign: "Diese Partie aufgeben?", confirmDraw: "Remis anbieten?", confirmClaim: "Remis reklamieren ({reason})?", confirmAbort: "Diese Partie ohne Ergebnis verlassen?",
  yes: "Ja", no: "Nein", cancel: "Abbrechen", close: "Schließen", ok: "OK", drawDeclined: "Der Computer lehnt das Remis ab.", drawOffered: "{name} bietet Remis an.", accept: "Annehmen", decline: "Ablehnen",
  takebackOffered: "{name} möchte einen Zug zurücknehmen.", offerSent: "Dein Freund wurde gefragt.",
  friendMissing: "Warte auf deinen Freund…", connectionLost: "Die Verbindung zum Server ist unterbrochen. Neuer Versuch…",
  resigned: "{color} hat aufgegeben.", outOfTime: "{color} hat die Zeit überschritten.", outOfTimeDraw: "{color} hat die Zeit überschritten, aber der Gegner kann nicht mattsetzen: remis.", agreed: "Remis vereinbart.", claimed: "Remis ({reason}).", aborted: "Die Partie wurde ohne Ergebnis verlassen.",
  wins: "{color} gewinnt", drawn: "Remis", lookingBack: "Du blätterst zurück.", backToGame: "Zur Partie", accuracy: "Genauigkeit", worstMove: "Schlechtester Zug", noMistake: "keine Fehler", reviewing: "Werte aus… {done} von {all}",
  premoveSet: "Vorauszug: {move}", premoveDropped: "Der Vorauszug ist nicht erlaubt.", moves: "Züge", board: "Schachbrett", noMoves: "Noch keine Züge.", pieceStuck: "Keine erlaubten Züge.",
  engine: "Engine", engineOn: "Engine an", lines: "Varianten", depth: "Tiefe {depth}", nodes: "{nodes} Knoten", speed: "{speed}/s", evaluation: "Bewertung", wdl: "Weiß gewinnt {white} %, remis {draw} %, Schwarz gewinnt {black} %",
  threat: "Drohung zeigen", mate: "Matt beweisen", arrows: "Pfeile", bestMove: "Besten Zug spielen", editor: "Stellung aufbauen", import: "Öffnen", export: "Sichern und teilen",
  pasteHere: "FEN oder PGN einfügen", load: "Laden", file: "Datei wählen", dropHere: "PGN- oder FEN-Datei hier ablegen", copyFen: "FEN kopieren", copyPgn: "PGN kopieren", downloadPgn: "PGN sichern", copyLink: "Link kopieren", copied: "Kopiert.",
  comment: "Kommentar", glyphs: "Zeichen", promoteVariation: "Variante aufwerten", makeMainLine: "Zur Hauptvariante machen", deleteFromHere: "Ab hier löschen", clearTree: "Alles löschen",
  report: "Bericht", makeReport: "Ganze Partie auswerten", average: "Bauernverlust (1/100)", inaccuracies: "Ungenauigkeiten", mistakes: "Fehler", blunders: "Patzer", nextMistake: "Nächster Fehler", learnFrom: "Aus deinen Fehlern lernen",
  findBetter: "{move} wurde gespielt. Finde einen besseren Zug für {color}.", goodFind: "Gut: {move}.", notBetter: "{move} ist nicht besser. Versuch es noch einmal.", showSolution: "Lösung zeigen", nextOne: "Weiter", learnDone: "Das war der letzte.", graph: "Verlauf der Bewertung", stopReport: "Anhalten", noMistakesFor: "Keine Fehler von {color}.",
  gameOver: "Die Partie ist zu Ende.", checkmateHere: "Schachmatt.", mateIn: "Züge bis zum Matt", prove: "Beweisen", proving: "Suche alle Züge ab…", inCheckNoThreat: "Im Schach gibt es keine Drohung zu zeigen.",
  engineLoading: "Die Engine wird geladen…", engineWaiting: "Die Engine ist nicht erreichbar. Neuer Versuch…", engineFailed: "Die Engine konnte nicht starten. Lade die Seite neu.", engineNative: "nativ", engineBrowser: "im Browser",
  badInput: "Das ist weder FEN noch PGN: {reason}", pgnProblem: "Zeile {line}, Spalte {column}: {message}", tags: "Partie", result: "Ergebnis",
  playFromHere: "Von hier spielen", tree: "Zugbaum", opening: "Eröffnung",
  sideToMove: "Am Zug", castling: "Rochade", clearBoard: "Leeres Brett", startBoard: "Grundstellung", eraser: "Radierer", hand: "Figuren bewegen", useBoard: "Diese Stellung analysieren", kingside: "kurz", queenside: "lang",
  openCollection: "PGN-Datei öffnen", search: "Suchen", player: "Weiß", opponentColumn: "Schwarz", event: "Turnier", date: "Datum", movesColumn: "Züge", gamesCount: "{shown} von {all} Partien", reading: "Lese… {percent} %", exportShown: "Angezeigte Partien sichern", myGames: "Deine beendeten Partien", noGames: "Keine Partien geöffnet. Wähle eine PGN-Datei oder lege sie hier ab.", more: "Mehr zeigen", previousGame: "Vorige Partie", nextGame: "Nächste Partie",
  loneTitle: "Wie eine Figur zieht", loneHelp: "Wähle eine Figur, klicke auf ein Feld und stelle ihr andere in den Weg.", trainerTitle: "Felder benennen", findSquare: "Klicke auf", trainerStart: "Start: 30 Sekunden", score: "{right} richtig, {wrong} falsch", best: "Rekord: {best}", blockers: "Andere Figuren", piece: "Figur", trainerOver: "Die Zeit ist um.", lonePlace: "Setzen", loneReach: "{count} Felder", nameSquare: "Benenne das Feld", modeFind: "Feld finden", modeName: "Feld benennen",
  language: "Sprache", system: "Wie das System", theme: "Farben", light: "Hell", dark: "Dunkel", boardTheme: "Brett", coordinates: "Koordinaten", animation: "Animation", legalDots: "Erlaubte Züge zeigen", premoves: "Vorauszüge", autoQueen: "Immer in eine Dame umwandeln", sound: "Ton", themeWood: "Holz", themeSea: "See", themeForest: "Wald", themeSlate: "Schiefer", themeContrast: "Hoher Kontrast",
  help: "Tasten", helpNext: "vor, zurück", helpEnds: "erster Zug, letzter Zug", helpFlip: "Brett drehen", helpEngine: "Engine an oder aus", helpArrows: "Pfeile an oder aus", helpThreat: "Drohung zeigen", helpBest: "besten Zug spielen", helpType: "Zug eingeben", helpBoard: "zu den Feldern des Bretts; dann Pfeiltasten und Enter", helpHelp: "diese Hilfe", helpHint: "Tipp", helpEsc: "Figur loslassen, Fenster schließen", helpWords: "Das Zugfeld versteht auch Wörter: hint, draw, resign, undo, flip, last, clock.", helpDraw: "Rechte Taste: Pfeile und Kreise zeichnen. Umschalt: rot, Alt: blau, Strg: gelb.",
  announceMove: "{number} {san}: {words}", announceCheck: "Schach.", updateReady: "Eine neue Fassung ist da. Lade die Seite neu.", lostRules: "Die Seite konnte nicht geladen werden. Lade sie neu.", notFound: "Diese Adresse gibt es nicht.",
};

const levelsEn = ["Newcomer", "Beginner", "Learner", "Casual player", "Keen amateur", "Club player", "Strong club player", "Expert", "Candidate master", "Full strength"];
const levelsDe = ["Neuling", "Anfänger", "Lernender", "Gelegenheitsspieler", "Eifriger Amateur", "Vereinsspieler", "Starker Vereinsspieler", "Experte", "Meisteranwärter", "Volle Stärke"];
/** As `Level::rating` says; full strength has none. */
export const RATINGS: (number | null)[] = [400, 570, 740, 910, 1250, 1560, 1800, 2000, 2200, null];

export function language(): "en" | "de" {
  const chosen = settings.value.language;
  if (chosen !== "system") return chosen;
  return navigator.language.startsWith("de") ? "de" : "en";
}

export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const text = (language() === "de" ? de : en)[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function levelName(level: number): string {
  return (language() === "de" ? levelsDe : levelsEn)[level - 1] ?? "";
}

const germanPieces: Record<string, string> = { p: "Bauer", n: "Springer", b: "Läufer", r: "Turm", q: "Dame", k: "König" };

const germanBoard: BoardTexts = {
  board: "Schachbrett",
  pieces: Object.fromEntries(Object.entries(germanPieces).flatMap(([letter, name]) => {
    const ending = letter === "q" ? "e" : "er";
    return [[letter.toUpperCase(), `weiß${ending} ${name}`], [letter, `schwarz${ending} ${name}`]];
  })),
  empty: "leer", selected: "gewählt", target: "erreichbar", capture: "kann geschlagen werden", lastMove: "letzter Zug",
  check: "im Schach", premove: "Vorauszug", promote: "Umwandeln in", roles: { q: "Dame", r: "Turm", b: "Läufer", n: "Springer" },
};

export function boardTexts(): BoardTexts {
  return language() === "de" ? germanBoard : englishTexts;
}

export function colorName(color: "white" | "black"): string {
  return t(color);
}
