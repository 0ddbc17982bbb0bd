import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

const PROOF = /\[[^\]]+\]\((\S+?\.test\.ts)\): `([^`]+)`/g;

const rows = readFileSync(`${REPOSITORY}docs/hosted.md`, "utf8")
  .split("| proved by")[1]
  ?.split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| -"))
  .map((line) => line.split("|").slice(1, 4)) as [attack: string, answer: string, proof: string][];

test.each(rows)("the test exists that proves the answer to: %s", (_attack, _answer, proof) => {
  const named = [...proof.matchAll(PROOF)];
  expect(named.map(([text]) => text).join("<br>")).toBe(proof.trim());
  for (const [, file = "", name = ""] of named) {
    expect(readFileSync(join(`${REPOSITORY}docs`, file), "utf8")).toContain(`"${name}"`);
  }
});
