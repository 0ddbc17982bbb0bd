import { STANDARD_SCOPES } from "../sensitivity.ts";

/** ASCII characters that look like a letter or a sign, and what they look like. */
const READ_AS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "b",
  "7": "t",
  "8": "b",
  "9": "g",
  "!": "l",
  "|": "l",
  i: "l",
  $: "s",
  "@": "a",
  ";": ":",
};

/**
 * Returns the same string for all ASCII strings that look alike: in lower case, with letters for digits and signs, `m`
 * for `rn`, and `d` for `cl`.
 */
function skeleton(text: string): string {
  return text
    .toLowerCase()
    .replace(/[013-9!|i$@;]/g, (character) => READ_AS[character] as string)
    .replaceAll("rn", "m")
    .replaceAll("cl", "d");
}

const STANDARD: ReadonlyMap<string, string> = new Map(Object.keys(STANDARD_SCOPES).map((id) => [skeleton(id), id]));

/** Returns the standard scope that another id looks like, for example `Location:read`, `l0cation:read` or `filesystern:read`. */
export function standardLookAlike(id: string): string | undefined {
  const standard = STANDARD.get(skeleton(id));
  return standard === id ? undefined : standard;
}
