import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as apply from "../src/apply/index.ts";
import * as all from "../src/index.ts";

test("what the entry for checks offers, the package offers, too", () => {
  expect(all).toMatchObject(apply);
});

test("every exported function and class has an example", () => {
  const index = readFileSync(new URL("../src/index.ts", import.meta.url), "utf8");
  for (const [, names = "", file = ""] of index.matchAll(/export \{([^}]*)\} from "(.+)"/g)) {
    const source = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
    for (const name of names.split(",").map((part) => part.trim())) {
      const at = source.search(new RegExp(`^export (?:function|class) ${name}\\b`, "m"));
      if (at < 0) continue;
      const before = source.slice(0, at);
      expect(before.slice(before.lastIndexOf("/**")), `${file}: ${name}`).toContain("@example");
    }
  }
});
