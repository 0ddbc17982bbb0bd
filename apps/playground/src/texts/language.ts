import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { en, type Texts } from "./en.ts";
import { zh } from "./zh.ts";

/** The languages of the page. */
export type Language = "en" | "zh";

/** The texts of each language. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en, zh };

const STORED = "agentprint-language";

/** Returns the language that was chosen last, or else the first of the browser's languages that the page supports. */
export function preferredLanguage(): Language {
  const wanted = [stored(), ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
  return wanted.find((tag): tag is Language => tag === "en" || tag === "zh") ?? "en";
}

/** Remembers the language for the next visit, if the browser allows the page to store data. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // The choice then lasts only until the page is left.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** The context that gives every component the page's language. */
export const LanguageContext = createContext<Language>("en");

/** Returns the texts in the page's language. */
export function useTexts(): Texts {
  return TEXTS[useContext(LanguageContext)];
}
