/** Arrows and circles, as SVG in squares: the board is 8 by 8. */

import { placeOf, type Color, type Square } from "./geometry";

export interface Shape {
  from: Square;
  /** Missing for a circle. */
  to?: Square;
  color?: "green" | "red" | "yellow" | "blue" | "hint";
  /** A number or a glyph at the end of the arrow, or in the corner of the square. */
  label?: string;
  /** 0 to 1; thinner and paler below 1. */
  weight?: number;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function center(square: Square, orientation: Color): [number, number] {
  const { column, row } = placeOf(square, orientation);
  return [column + 0.5, row + 0.5];
}

function badge(x: number, y: number, label: string, color: string): string {
  return `<g class="badge ${color}"><circle cx="${x}" cy="${y}" r=".17"/><text x="${x}" y="${y + 0.075}">${escape(label)}</text></g>`;
}

function arrow(shape: Shape, to: Square, orientation: Color): string {
  const [x1, y1] = center(shape.from, orientation);
  const [x2, y2] = center(to, orientation);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return "";
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const weight = shape.weight ?? 1;
  const half = 0.04 + 0.055 * weight;
  const head = 0.2 + 0.16 * weight;
  const wing = 0.13 + 0.14 * weight;
  const point = (along: number, across: number) =>
    `${(x1 + dx * along - dy * across).toFixed(3)} ${(y1 + dy * along + dx * across).toFixed(3)}`;
  const tip = length - 0.08;
  const neck = tip - head;
  const path = [
    point(0.3, half),
    point(neck, half),
    point(neck, wing),
    point(tip, 0),
    point(neck, -wing),
    point(neck, -half),
    point(0.3, -half),
  ];
  const color = shape.color ?? "green";
  const label = shape.label ? badge(x1 + dx * 0.38, y1 + dy * 0.38, shape.label, color) : "";
  return `<path class="${color}" opacity="${(0.45 + 0.35 * weight).toFixed(2)}" d="M${path.join("L")}Z"/>${label}`;
}

export function shapesMarkup(shapes: readonly Shape[], orientation: Color): string {
  return shapes
    .map((shape) => {
      const color = shape.color ?? "green";
      if (shape.to) return arrow(shape, shape.to, orientation);
      const [x, y] = center(shape.from, orientation);
      if (shape.label) return badge(x + 0.34, y - 0.34, shape.label, color);
      return `<circle class="ring ${color}" cx="${x}" cy="${y}" r=".44"/>`;
    })
    .join("");
}
