import { manifestOf, scopeOf } from "@agentprint/testing/manifest/manifests";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseManifest } from "../src/index.ts";
import { STANDARD_SCOPES } from "../src/sensitivity.ts";

const STANDARD = Object.keys(STANDARD_SCOPES);

function warnings(id: string): string[] {
  const parsed = parseManifest(manifestOf({ tools: [], permission_scopes: [scopeOf(id, "high")] }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.warnings.map(({ code, path }) => `${code} ${path}`);
}

const CONFUSABLE = ["CONFUSABLE_SCOPE_ID /permission_scopes/0/id"];

test.each([
  ...STANDARD.flatMap((id) => [id.toUpperCase(), id.replace(/^./, (first) => first.toUpperCase())]),
  ...["l0cation:read", "1ocation:read", "Iocation:read", "locat1on:read", "location:r3ad", "locati0n:reacl"],
  ...["filesystern:read", "fi1esystem:read", "f1lesystem:read", "fi|esystem:read", "f!lesystem:read"],
  ...["c1ipboard:read", "dipboard:read", "cIipb0ard:read", "clipboard;read", "clip6oard:read", "clip8oard:read"],
  ...["notificati0n:send", "notification:5end", "no7ification:send", "n0t1f1cat10n:$end"],
])("%s looks like a standard scope", (id) => {
  expect(warnings(id)).toEqual(CONFUSABLE);
});

test("an id with letters in the other case, or with digits that look like letters, looks like a standard scope", () => {
  const alike: Readonly<Record<string, string>> = {
    o: "oO0",
    l: "lL1I",
    i: "iI1l",
    e: "eE3",
    a: "aA4",
    s: "sS5",
    t: "tT7",
  };
  const written = fc.constantFrom(...STANDARD).chain((id) => {
    const letters = [...id].map((letter) => fc.constantFrom(...(alike[letter] ?? letter + letter.toUpperCase())));
    return fc.tuple(...letters).map((chosen) => chosen.join(""));
  });
  fc.assert(
    fc.property(written, (id) => {
      fc.pre(!STANDARD.includes(id));
      expect(warnings(id)).toEqual(CONFUSABLE);
    }),
  );
});

test.each([
  "files:read",
  "filesystem:write",
  "location:write",
  "notify:send",
  "clip:read",
  "colocation:read",
  ...STANDARD,
])("%s does not look like a standard scope", (id) => {
  expect(warnings(id)).toEqual([]);
});
