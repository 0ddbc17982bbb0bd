import { closestName } from "../terminal/unknown-name.ts";

/** Of the rules whose ids have all words that were given. */
const MAX_GUESSES = 8;

/** The ids that somebody may have meant: those that have each word that was given, or else the one that is spelled alike. */
export function guessRules(given: string, ids: readonly string[]): string[] {
  const words = given
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const having = ids.filter((id) => words.every((word) => id.includes(word)));
  if (words.length > 0 && having.length > 0) return having.slice(0, MAX_GUESSES);
  const names = new Map(
    ids.flatMap((id) => [
      [id, id],
      [id.slice(id.indexOf("/") + 1), id],
    ]),
  );
  const closest = names.get(closestName(given, [...names.keys()]) ?? "");
  return closest === undefined ? [] : [closest];
}
