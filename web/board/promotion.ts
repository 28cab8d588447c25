/** The choice of a piece to promote to: four buttons on the file of the promotion square. */

import type { Color, Place } from "./geometry";
import { pieceMarkup } from "./pieces";
import type { BoardTexts } from "./texts";

export type Promotion = "q" | "r" | "b" | "n";

/** Returns a veil over the board and the box of buttons. `choose` gets `null` if the user lets go. */
export function promotionChooser(
  color: Color,
  { column, row }: Place,
  { promote: label, roles: names }: BoardTexts,
  choose: (role: Promotion | null) => void,
): [HTMLElement, HTMLElement] {
  const veil = document.createElement("div");
  veil.className = "veil";
  const box = document.createElement("div");
  box.className = `promotion ${color}`;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
  box.style.left = `${column * 12.5}%`;
  const roles: Promotion[] = ["q", "n", "r", "b"];
  // The queen lies on the promotion square itself.
  if (row < 4) box.style.top = "0";
  else {
    box.style.bottom = "0";
    roles.reverse();
  }
  const buttons = roles.map((role) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.role = role;
    button.setAttribute("aria-label", `${label} ${names[role]}`);
    button.innerHTML = `<svg viewBox="0 0 100 100" aria-hidden="true">${pieceMarkup(role)}</svg>`;
    button.addEventListener("click", () => choose(role));
    return button;
  });
  box.append(...buttons);
  box.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const index = buttons.findIndex((button) => button === event.target);
      buttons[(index + step + 4) % 4]!.focus();
    }
    if (event.key === "Escape") {
      event.preventDefault();
      choose(null);
    }
  });
  for (const part of [veil, box]) part.addEventListener("pointerdown", (event) => event.stopPropagation());
  veil.addEventListener("click", () => choose(null));
  return [veil, box];
}
