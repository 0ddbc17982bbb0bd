import { closestName } from "../terminal/unknown-name.ts";

/** The maximum number of suggestions among the rules whose ids contain all given words. */
const MAX_GUESSES = 8;

/** Returns the likely ids: those that contain every given word, or else the id with the closest spelling. */
export function guessRules(given: string, ids: readonly string[]): string[] {
  const words = given
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const having = ids.filter((id) => words.every((word) => id.toLowerCase().includes(word)));
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
