import { h } from "./dom";
import { segments } from "./play/setup";
import type { View } from "./router";
import { set, settings, type Settings } from "./settings";
import { t, type TextKey } from "./texts";

export const settingsView: View = () => {
  const toggle = (key: "coordinates" | "animation" | "legalDots" | "premove" | "autoQueen" | "sound", label: TextKey) =>
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        id: `setting-${key}`,
        checked: () => settings.value[key],
        onchange: () => set(key, !settings.peek()[key]),
      }),
      t(label),
    );
  const choice = <K extends "language" | "theme" | "board">(key: K, label: TextKey, options: [Settings[K], string][]) =>
    segments<Settings[K]>(
      key,
      t(label),
      options,
      () => settings.value[key],
      (value) => set(key, value),
    );
  return h(
    "div",
    { class: "wide narrow" },
    h(
      "div",
      { class: "card stack" },
      h("h1", null, t("settings")),
      choice("language", "language", [
        ["system", t("system")],
        ["en", "English"],
        ["de", "Deutsch"],
      ]),
      h("p", { class: "quiet" }, t("rulesLanguage")),
      choice("theme", "theme", [
        ["system", t("system")],
        ["light", t("light")],
        ["dark", t("dark")],
      ]),
      choice("board", "boardTheme", [
        ["wood", t("themeWood")],
        ["sea", t("themeSea")],
        ["forest", t("themeForest")],
        ["slate", t("themeSlate")],
        ["contrast", t("themeContrast")],
      ]),
      toggle("coordinates", "coordinates"),
      toggle("animation", "animation"),
      toggle("legalDots", "legalDots"),
      toggle("premove", "premoves"),
      toggle("autoQueen", "autoQueen"),
      toggle("sound", "sound"),
    ),
  );
};
