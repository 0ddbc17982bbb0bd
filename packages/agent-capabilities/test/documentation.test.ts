import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SOURCES = new URL("../src/", import.meta.url);
const modules = readdirSync(SOURCES, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".ts"));

test("every exported function has an example", () => {
  for (const name of modules.filter((module) => !module.startsWith("index"))) {
    const source = readFileSync(new URL(name, SOURCES), "utf8");
    const index = readFileSync(new URL("index.ts", SOURCES), "utf8");
    for (const [, exported = ""] of source.matchAll(/^export (?:async )?(?:function|class) (\w+)/gm)) {
      if (!new RegExp(`\\b${exported}\\b`).test(index)) continue;
      const comment = source.slice(
        0,
        source.search(new RegExp(`^export (?:async )?(?:function|class) ${exported}\\b`, "m")),
      );
      expect(comment.slice(comment.lastIndexOf("/**")), `${name}: ${exported}`).toContain("@example");
    }
  }
});
