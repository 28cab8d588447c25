/** All words of the page, in the language that the user has chosen. */

import type { BoardTexts } from "../board/board";
import { englishTexts } from "../board/board";
import type { Outcome, Position } from "./rules";
import { settings } from "./settings";
import * as de from "./texts/de";
import { german } from "./texts/de-rules";
import * as en from "./texts/en";

export type TextKey = keyof typeof en.texts;

/** How a game ended, as a sentence. */
export function outcomeText(outcome: Outcome): string {
  if (language() === "en") return outcome.message;
  return `${de.outcomes[outcome.reason]}: ${outcome.winner ? t("wins", { color: t(outcome.winner) }) : "remis"}.`;
}

export function claimText(claim: NonNullable<Position["claim"]>): string {
  return language() === "de" ? de.claims[claim] : claim;
}

/** As `Level::rating` says; full strength has none. */
export const RATINGS: (number | null)[] = [400, 570, 740, 910, 1250, 1560, 1800, 2000, 2200, null];

export function language(): "en" | "de" {
  const chosen = settings.value.language;
  if (chosen !== "system") return chosen;
  return navigator.language.startsWith("de") ? "de" : "en";
}

/** A sentence of the rules, and its language if it is not the page's. */
export interface RulesText {
  message: string;
  lang?: string;
}

/** A sentence of the rules in the language of the page, if it is known there. */
export function rulesText(message: string): RulesText {
  if (language() === "en") return { message };
  const translated = german(message);
  return translated ? { message: translated } : { message, lang: "en" };
}

export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const text = (language() === "de" ? de : en).texts[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function levelName(level: number): string {
  return (language() === "de" ? de : en).levels[level - 1] ?? "";
}

export function boardTexts(): BoardTexts {
  return language() === "de" ? de.board : englishTexts;
}

export function colorName(color: "white" | "black"): string {
  return t(color);
}
