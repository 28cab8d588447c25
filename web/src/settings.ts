/** What the user chose, kept in the browser. */

import { effect, signal } from "./signal";

export interface Settings {
  language: "system" | "en" | "de";
  theme: "system" | "light" | "dark";
  board: "wood" | "sea" | "forest" | "slate" | "contrast";
  coordinates: boolean;
  animation: boolean;
  legalDots: boolean;
  premove: boolean;
  autoQueen: boolean;
  sound: boolean;
  /** Analysis. */
  engineOn: boolean;
  lines: number;
  arrows: boolean;
}

const defaults: Settings = {
  language: "system",
  theme: "system",
  board: "wood",
  coordinates: true,
  animation: true,
  legalDots: true,
  premove: true,
  autoQueen: false,
  sound: false,
  engineOn: false,
  lines: 3,
  arrows: true,
};

/** Reads a value of the page's own; anything broken is as good as missing. */
export function load<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(`tabiya.${key}`);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

export function store(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(`tabiya.${key}`);
    else localStorage.setItem(`tabiya.${key}`, JSON.stringify(value));
  } catch {
    // Private windows and full disks: the page works on, it only forgets.
  }
}

export const settings = signal<Settings>({ ...defaults, ...load<Partial<Settings>>("settings") });

export function set<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings.value = { ...settings.value, [key]: value };
}

export function applySettings(): void {
  effect(() => {
    store("settings", settings.value);
    const root = document.documentElement;
    root.dataset.theme = settings.value.theme;
    root.dataset.board = settings.value.board;
  });
}
