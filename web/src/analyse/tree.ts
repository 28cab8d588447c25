/** The tree of an analysis: moves with variations, comments and glyphs. Changes make new versions of `version`. */

import { rules } from "../app";
import { isUsualStart, START, startTags } from "../pgn";
import type { Eval, GameTree, Line, Position, Shape } from "../rules";
import { signal } from "../signal";

export interface Node {
  id: number;
  parent: Node | null;
  children: Node[];
  uci: string | null;
  san: string | null;
  /** Half-moves from the start. */
  ply: number;
  number: number;
  white: boolean;
  nags: number[];
  comments: string[];
  commentsBefore: string[];
  eval: Eval | null;
  shapes: Shape[];
}

/** Comments without commands such as `[%eval 0.2]`. */
export function plain(comments: readonly string[]): string {
  return comments
    .map((comment) =>
      comment
        .replace(/\[%[^\]]*\]/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter(Boolean)
    .join(" ");
}

export class Tree {
  root: Node;
  start: string;
  tags: [string, string][];
  result: string;
  readonly current = signal<Node>(null!);
  /** Rises with every change of the tree. */
  readonly version = signal(0);
  #nextId = 1;
  #chess960: boolean;
  #firstNumber: number;
  #firstWhite: boolean;

  constructor(start: string = START, tags: [string, string][] = [], result = "*") {
    const position = rules().position({ fen: start });
    this.start = position.fen;
    this.#chess960 = position.chess960;
    this.#firstNumber = position.fullmove_number;
    this.#firstWhite = position.turn === "white";
    this.tags = tags;
    this.result = result;
    this.root = this.#node(null, null, null);
    this.current.value = this.root;
  }

  static from(game: GameTree): Tree {
    const tree = new Tree(game.start, game.tags, game.result ?? "*");
    const byId = new Map(game.nodes.map((node) => [node.id, node]));
    const fill = (into: Node, id: number) => {
      const stack: [Node, number][] = [[into, id]];
      while (stack.length) {
        const [node, from] = stack.pop()!;
        const source = byId.get(from)!;
        Object.assign(node, {
          nags: source.nags,
          comments: source.comments,
          commentsBefore: source.comments_before,
          eval: source.eval,
          shapes: source.shapes,
        });
        const pairs: [Node, number][] = source.children.map((child) => {
          const data = byId.get(child)!;
          const next = tree.#node(node, data.uci, data.san);
          node.children.push(next);
          return [next, child];
        });
        stack.push(...pairs.reverse());
      }
    };
    if (byId.has(0)) fill(tree.root, 0);
    return tree;
  }

  #node(parent: Node | null, uci: string | null, san: string | null): Node {
    const ply = parent ? parent.ply + 1 : 0;
    const half = this.#firstWhite ? ply - 1 : ply;
    return {
      id: parent ? this.#nextId++ : 0,
      parent,
      children: [],
      uci,
      san,
      ply,
      number: this.#firstNumber + Math.floor(half / 2),
      white: half % 2 === 0,
      nags: [],
      comments: [],
      commentsBefore: [],
      eval: null,
      shapes: [],
    };
  }

  path(node: Node): Node[] {
    const path: Node[] = [];
    for (let at: Node | null = node; at?.parent; at = at.parent) path.push(at);
    return path.reverse();
  }

  line(node: Node = this.current.peek()): Line & { fen: string; moves: string[] } {
    return { fen: this.start, moves: this.path(node).map(({ uci }) => uci!) };
  }

  position(node: Node = this.current.peek()): Position {
    return rules().position(this.line(node));
  }

  mainLine(): Node[] {
    const line: Node[] = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  isMain(node: Node): boolean {
    return this.path(node).every((at) => at.parent!.children[0] === at);
  }

  /** Plays a legal move at the current node: follows it if it is there, otherwise adds it. */
  play(uci: string, san: string): Node {
    const from = this.current.peek();
    let next = from.children.find((child) => child.uci === uci);
    if (!next) {
      next = this.#node(from, uci, san);
      from.children.push(next);
      this.changed();
    }
    this.current.value = next;
    return next;
  }

  changed(): void {
    this.version.value++;
  }

  forward(): void {
    const [next] = this.current.peek().children;
    if (next) this.current.value = next;
  }
  back(): void {
    const { parent } = this.current.peek();
    if (parent) this.current.value = parent;
  }
  first(): void {
    this.current.value = this.root;
  }
  last(): void {
    let at = this.current.peek();
    while (at.children[0]) [at] = at.children as [Node];
    this.current.value = at;
  }

  /** To the next sibling: another variation at the same move. */
  sibling(step: number): void {
    const node = this.current.peek();
    const siblings = node.parent?.children ?? [];
    const next = siblings[(siblings.indexOf(node) + step + siblings.length) % siblings.length];
    if (next) this.current.value = next;
  }

  /** Moves the variation of a node one place up, or to the top of every branching. */
  promote(node: Node, toMain: boolean): void {
    for (let at: Node = node; at.parent; at = at.parent) {
      const { children } = at.parent;
      const index = children.indexOf(at);
      if (index === 0) continue;
      children.splice(index, 1);
      children.splice(toMain ? 0 : index - 1, 0, at);
      if (!toMain) break;
    }
    this.changed();
  }

  remove(node: Node): void {
    const { parent } = node;
    if (!parent) return;
    if (this.path(this.current.peek()).includes(node)) this.current.value = parent;
    parent.children = parent.children.filter((child) => child !== node);
    this.changed();
  }

  toggleNag(node: Node, nag: number): void {
    // One glyph for the move (1–6), one for the position (10–19).
    const group = (value: number) => (value <= 9 ? 0 : 1);
    node.nags = node.nags.includes(nag)
      ? node.nags.filter((value) => value !== nag)
      : [...node.nags.filter((value) => group(value) !== group(nag)), nag].sort((a, b) => a - b);
    this.changed();
  }

  /** Sets the words of the comment and keeps its commands. */
  comment(node: Node, text: string): void {
    const commands = node.comments.join(" ").match(/\[%[^\]]*\]/g) ?? [];
    const comment = [...commands, text.replace(/[{}]/g, "").trim()].filter(Boolean).join(" ");
    node.comments = comment ? [comment] : [];
    this.changed();
  }

  setShapes(node: Node, shapes: Shape[]): void {
    const letter = (shape: Shape) => shape.color[0]!.toUpperCase();
    const circles = shapes.filter(({ to }) => !to).map((shape) => `${letter(shape)}${shape.from}`);
    const arrows = shapes.filter(({ to }) => to).map((shape) => `${letter(shape)}${shape.from}${shape.to}`);
    const rest = node.comments.map((comment) => comment.replace(/\[%c[sa]l [^\]]*\]\s*/g, "").trim()).filter(Boolean);
    const commands = [
      circles.length ? `[%csl ${circles.join(",")}]` : "",
      arrows.length ? `[%cal ${arrows.join(",")}]` : "",
    ]
      .filter(Boolean)
      .join(" ");
    node.comments = commands ? [commands, ...rest] : rest;
    node.shapes = shapes;
    this.changed();
  }

  pgn(): string {
    const nodes: Node[] = [];
    const stack = [this.root];
    while (stack.length) {
      const node = stack.pop()!;
      nodes.push(node);
      stack.push(...[...node.children].reverse());
    }
    const tags = this.tags.filter(
      ([name]) =>
        !["SetUp", "FEN"].includes(name) &&
        !(name === "Variant" && /960|fischer/i.test(this.tags.find(([n]) => n === "Variant")?.[1] ?? "")),
    );
    return rules().writeGame({
      tags: [...tags, ...startTags(this.start, this.#chess960)],
      result: this.result,
      start: this.start,
      nodes: nodes.map((node) => ({
        id: node.id,
        parent: node.parent?.id ?? null,
        children: node.children.map(({ id }) => id),
        uci: node.uci,
        nags: node.nags,
        comments: node.comments,
        comments_before: node.commentsBefore,
      })),
    });
  }

  get isEmpty(): boolean {
    return this.root.children.length === 0;
  }
  get isUsualStart(): boolean {
    return isUsualStart(this.start);
  }
}

/** A tree from text that a user gave: FEN or PGN. */
export function parseInput(
  text: string,
): { tree: Tree; warning: { line: number; column: number; message: string } | null } | { error: string } {
  const trimmed = text.trim();
  if (
    /^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}(\s|$)/.test(trimmed) ||
    /^\S*\/\S*\/\S*\/\S*\/\S*\/\S*\/\S*\/\S*/.test(trimmed)
  ) {
    const checked = rules().tryPosition({ fen: trimmed });
    return checked.ok ? { tree: new Tree(checked.position.fen), warning: null } : { error: checked.error.message };
  }
  const game = rules().readGame(trimmed);
  if (!game) return { error: "" };
  if (game.nodes.length <= 1 && game.error) return { error: game.error.message };
  return { tree: Tree.from(game), warning: game.error };
}
