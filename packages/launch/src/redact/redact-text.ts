import { hideAssignments } from "./find-assignments.ts";
import { hidePrivateKeys, hideSchemes } from "./find-credentials.ts";
import { hideFlagValues } from "./find-flags.ts";
import { findTokens } from "./find-tokens.ts";
import { hideUserInformation } from "./find-urls.ts";
import { HiddenText } from "./hidden-text.ts";
import type { SearchedText } from "./hide-values.ts";
import { QuotedStrings } from "./quotes.ts";

/** Returns a text in which everything that is secret in any context is hidden. */
export function searchText(text: string): SearchedText {
  const hidden = new HiddenText(text);
  const searched = { hidden, quotes: new QuotedStrings(hidden.text) };
  hideAssignments(searched);
  hideFlagValues(searched);
  hideUserInformation(hidden);
  hideSchemes(hidden);
  hidePrivateKeys(hidden);
  for (const { start, end } of findTokens(hidden.text)) hidden.hide(start, end);
  return searched;
}

/** Returns a text with {@link REDACTED} instead of each value that is secret in any context. */
export function redactText(text: string): string {
  return searchText(text).hidden.toString();
}
