/** Elements from code. Text is always text, never markup. */

import { effect, onEnd } from "./signal";

type Child = Node | string | number | false | null | undefined | Child[];
type Value = string | number | boolean | null | undefined | ((event: never) => void);
type Props = Record<string, Value | (() => Value) | Record<string, string>>;

function apply(element: Element, name: string, value: Value): void {
  if (name === "class") element.setAttribute("class", String(value ?? ""));
  else if (
    name === "value" ||
    name === "checked" ||
    name === "disabled" ||
    name === "hidden" ||
    name === "open" ||
    name === "tabIndex"
  ) {
    (element as unknown as Record<string, unknown>)[name] = value;
  } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * Makes an element. `on…` properties are listeners; other functions are read again whenever their signals change.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props?: Props | null,
  ...children: Child[]
): HTMLElementTagNameMap[K];
export function h(tag: string, props?: Props | null, ...children: Child[]): HTMLElement;
export function h(tag: string, props: Props | null = null, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  append(element, children);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "style" && typeof value === "object" && value !== null) {
      for (const [key, text] of Object.entries(value as Record<string, string>)) element.style.setProperty(key, text);
    } else if (typeof value === "function") {
      effect(() => apply(element, name, (value as () => Value)()));
    } else apply(element, name, value as Value);
  }
  return element;
}

function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else if (child !== null && child !== undefined && child !== false)
      parent.appendChild(document.createTextNode(String(child)));
  }
}

/** Replaces the children of an element whenever the signals that `make` reads change. */
export function live<T extends HTMLElement>(element: T, make: () => Child): T {
  effect(() => {
    const holder = document.createDocumentFragment();
    append(holder, [make()]);
    element.replaceChildren(holder);
  });
  return element;
}

export function listen<K extends keyof WindowEventMap>(name: K, handler: (event: WindowEventMap[K]) => void): void {
  window.addEventListener(name, handler);
  onEnd(() => window.removeEventListener(name, handler));
}

const SVG = "http://www.w3.org/2000/svg";

/** Line icons on a grid of 24. */
const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  previous: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  flip: "M7 4v14M3.500 14.500L7 18l3.500-3.500M17 20V6M13.500 9.500L17 6l3.500 3.500",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3",
  flag: "M5 21V4h12l-2.500 4L17 12H5",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 00-4 10.500c.8.8 1 1.500 1 2.500h6c0-1 .2-1.700 1-2.500A6 6 0 0012 3z",
  half: "M5 18L19 6M4 9h5M6.500 6.500v5M15 17h5",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  download: "M12 4v11M7.500 11L12 15.500 16.500 11M5 20h14",
  open: "M3 7h6l2 2h10v10H3z",
  edit: "M4 20l1-4L16 5l3 3L8 19z",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  up: "M12 19V5M6 11l6-6 6 6",
  plus: "M12 5v14M5 12h14",
  sound: "M5 10v4h3l4 4V6L8 10zM16 9a4 4 0 010 6",
  share: "M12 15V4M8 7.500L12 3.500l4 4M5 12v8h14v-8",
  threat: "M12 3l9.500 17h-19zM12 10v4M12 17v.5",
  mate: "M12 3v6M9.500 5.500h5M6 20h12M7 17c-3-6 2-9 5-6 3-3 8 0 5 6z",
  chart: "M4 19h16M5 15l4-6 4 3 6-8",
  swap: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",
  settings: "M4 7h9m4 0h3M4 17h3m4 0h9M15 5a2 2 0 100 4 2 2 0 000-4zM9 15a2 2 0 100 4 2 2 0 000-4z",
  check: "M5 13l4 4L19 7",
  help: "M9 9a3 3 0 115 2.200c-1.200 1-2 1.500-2 3M12 18v.3",
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export function svg(name: string, attributes: Record<string, string | number>, ...children: Node[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** A button with an icon and words; `compact` hides the words from the eye only. */
export function button(
  label: string,
  onclick: () => void,
  options: {
    icon?: IconName;
    compact?: boolean;
    class?: string;
    disabled?: () => boolean;
    pressed?: () => boolean;
    key?: string;
    id?: string;
  } = {},
): HTMLButtonElement {
  const { icon: name, compact } = options;
  return h(
    "button",
    {
      type: "button",
      class: `button ${compact ? "compact" : ""} ${options.class ?? ""}`,
      title: options.key ? `${label} (${options.key})` : compact ? label : null,
      "aria-label": compact ? label : null,
      "aria-pressed": options.pressed ? () => String(options.pressed!()) : null,
      disabled: options.disabled ?? false,
      id: options.id,
      onclick,
    },
    name && icon(name),
    compact ? null : h("span", null, label),
  );
}
