import { STANDARD_SCOPES } from "../sensitivity.ts";

/** ASCII characters that can be read as a letter. */
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

/** One text for all ASCII texts that look alike: case, digits and signs for letters, and `rn` and `cl` for `m` and `d`. */
function skeleton(text: string): string {
  return text
    .toLowerCase()
    .replace(/[013-9!|i$@;]/g, (character) => READ_AS[character] as string)
    .replaceAll("rn", "m")
    .replaceAll("cl", "d");
}

const STANDARD: ReadonlyMap<string, string> = new Map(Object.keys(STANDARD_SCOPES).map((id) => [skeleton(id), id]));

/** The standard scope that an id looks like without being it: `Location:read`, `l0cation:read`, `filesystern:read`. */
export function standardLookAlike(id: string): string | undefined {
  const standard = STANDARD.get(skeleton(id));
  return standard === id ? undefined : standard;
}
