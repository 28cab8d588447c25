import { pieceStyle } from "./pieces";

/** Everything that a page may change is a custom property; the README lists them. */
export const style = `
:host { display: block; position: relative; aspect-ratio: 1; contain: layout; container-type: inline-size;
  user-select: none; -webkit-user-select: none; -webkit-tap-highlight-color: transparent; }
:host([hidden]) { display: none; }
:host(.no-dots) .square.target::after { display: none; }
.board { position: absolute; inset: 0; touch-action: none; border-radius: var(--board-radius, 4px); }
.grid { position: absolute; inset: 0; display: grid; grid-template-rows: repeat(8, 1fr);
  border-radius: inherit; overflow: hidden; }
[role=row] { display: grid; grid-template-columns: repeat(8, 1fr); min-height: 0; }
[role=gridcell] { display: grid; min-width: 0; min-height: 0; }
.square { position: relative; border: 0; padding: 0; margin: 0; min-width: 0; min-height: 0; border-radius: 0; cursor: inherit; appearance: none; }
.light { background-color: var(--light-square, #ecdcc0); }
.dark { background-color: var(--dark-square, #a97f5d); }
.square.last { background-image: linear-gradient(var(--last-move, rgb(205 190 40 / .5)) 0 0); }
.square.selected { background-image: linear-gradient(var(--selected, rgb(70 140 60 / .6)) 0 0); }
.square.premove { background-image: linear-gradient(var(--premove, rgb(40 90 200 / .5)) 0 0); }
.square.check { background-image: radial-gradient(circle, var(--check, rgb(255 20 0 / .95)) 10%, rgb(230 0 0 / .6) 45%, transparent 85%); }
.square.reason { background-image: repeating-linear-gradient(45deg, var(--reason, rgb(210 30 40 / .72)) 0 8%, rgb(210 30 40 / .42) 8% 16%); }
.square.over { box-shadow: inset 0 0 0 .7cqw rgb(255 255 255 / .75); }
.square.target::after { content: ""; position: absolute; inset: 35%; border-radius: 50%; background: var(--target, rgb(20 60 20 / .42)); }
.square.capture::after { inset: 3%; background: none; border: .95cqw solid var(--target, rgb(20 60 20 / .42)); }
@media (hover: hover) { .square.target:hover { background-image: linear-gradient(var(--selected, rgb(70 140 60 / .6)) 0 0); } }
.square:focus { outline: none; }
.square:focus-visible { outline: .6cqw solid var(--focus, #1668dc); outline-offset: -.6cqw; box-shadow: inset 0 0 0 .9cqw #fff; z-index: 1; }
.coordinates span { position: absolute; width: 12.5%; box-sizing: border-box; font: 600 clamp(8px, 2.1cqw, 16px) / 1 system-ui, sans-serif; }
.rank { left: 0; padding: .8cqw; }
.file { bottom: 0; padding: .8cqw; text-align: right; }
.on-light { color: var(--dark-square, #a97f5d); }
.on-dark { color: var(--light-square, #ecdcc0); }
:host([coordinates=none]) .coordinates { display: none; }
.coordinates, .pieces, .shapes { position: absolute; inset: 0; pointer-events: none; }
.piece { position: absolute; width: 12.5%; height: 12.5%; will-change: transform; }
.piece svg { display: block; width: 100%; height: 100%; }
.piece.dragging { z-index: 5; filter: drop-shadow(0 .6cqw .5cqw rgb(0 0 0 / .35)); }
.piece.dragging.touch svg { transform: translateY(-35%) scale(1.7); }
.piece.ghost { opacity: .35; }
:host([data-movable]) .board { cursor: pointer; }
:host([data-dragging]) .board { cursor: grabbing; }
.shapes { width: 100%; height: 100%; overflow: visible; z-index: 4; }
.shapes path.green, .badge.green circle { fill: var(--arrow-green, #15781b); }
.shapes path.red, .badge.red circle { fill: var(--arrow-red, #a3201e); }
.shapes path.yellow, .badge.yellow circle { fill: var(--arrow-yellow, #c88400); }
.shapes path.blue, .badge.blue circle { fill: var(--arrow-blue, #0f4ea8); }
.shapes path.hint, .badge.hint circle { fill: var(--arrow-hint, #6a3fb5); }
.ring { fill: none; stroke-width: .07; opacity: .85; }
.ring.green { stroke: var(--arrow-green, #15781b); } .ring.red { stroke: var(--arrow-red, #a3201e); }
.ring.yellow { stroke: var(--arrow-yellow, #c88400); } .ring.blue { stroke: var(--arrow-blue, #0f4ea8); }
.ring.hint { stroke: var(--arrow-hint, #6a3fb5); }
.badge circle { stroke: #fff; stroke-width: .03; }
.badge text { font: 700 .22px system-ui, sans-serif; fill: #fff; text-anchor: middle; }
.promotion { position: absolute; z-index: 8; width: 12.5%; display: grid; border-radius: 4px; overflow: hidden;
  box-shadow: 0 2px 14px rgb(0 0 0 / .55); }
.veil { position: absolute; inset: 0; z-index: 7; background: rgb(0 0 0 / .38); border-radius: inherit; }
.promotion button { appearance: none; border: 0; padding: 4%; margin: 0; aspect-ratio: 1; min-width: 0; cursor: pointer;
  background: var(--promotion-background, #f4f1ea); }
.promotion button:hover, .promotion button:focus-visible { background: var(--promotion-active, #f2b24a); outline: none; }
.sentence { position: absolute; left: 50%; z-index: 6; transform: translateX(-50%); box-sizing: border-box; max-width: 94%;
  width: max-content; padding: .5em .8em; border-radius: 8px; pointer-events: none;
  background: var(--sentence-background, #2b1d1b); color: var(--sentence-color, #fff);
  font: 500 clamp(13px, 2.6cqw, 18px) / 1.35 system-ui, sans-serif; text-align: center; box-shadow: 0 2px 12px rgb(0 0 0 / .4); }
.sentence.top { top: 2.5%; } .sentence.bottom { bottom: 2.5%; }
.sentence:empty { display: none; }
${pieceStyle}
@media (forced-colors: active) {
  .square { forced-color-adjust: none; }
}
`;
