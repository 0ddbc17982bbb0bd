import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anchorOfCode, ERRORS_PAGE, errorClasses, errorsPage } from "../../apps/scripts/src/error-codes.ts";
import { REPOSITORY } from "./examples.ts";

const CLASSES = errorClasses(REPOSITORY);

test("docs/ERRORS.md is generated from the sources", async () => {
  await expect(errorsPage(CLASSES)).toMatchFileSnapshot(join(REPOSITORY, ERRORS_PAGE));
});

test("every code with which the sources make an error has an anchor on the page", () => {
  const page = errorsPage(CLASSES);
  const known = new Map(CLASSES.map((each) => [each.name, each]));
  const ownerOf = (name: string, code: string): string =>
    known.get(name)?.codes.has(code)
      ? name
      : (known.get(name)?.alsoOf.find((other) => known.get(other)?.codes.has(code)) ?? name);
  const paths = globSync(["packages/*/src/**/*.ts", "apps/{cli,mcp-server,registry}/src/**/*.ts"], { cwd: REPOSITORY });
  const made = paths.flatMap((path) =>
    [...readFileSync(join(REPOSITORY, path), "utf8").matchAll(/new (\w+Error)\(\s*"([\w-]+)"/g)].flatMap(
      ([, name = "", code = ""]) => (known.has(name) ? [anchorOfCode(ownerOf(name, code), code)] : []),
    ),
  );
  expect(new Set(made).size).toBeGreaterThan(100);
  expect([...new Set(made)].filter((anchor) => !page.includes(`<a id="${anchor}"></a>`))).toEqual([]);
});

test("every anchor of a code is there once, and every code has a cause and a remedy", () => {
  const codes = CLASSES.flatMap(({ name, codes }) =>
    [...codes].map(([code, said]) => [anchorOfCode(name, code), said] as const),
  );
  expect(codes.length).toBeGreaterThan(250);
  expect(new Set(codes.map(([anchor]) => anchor)).size).toBe(codes.length);
  const sentences = /^[A-Z`].*[.:;] .*\.$/;
  expect(codes.filter(([, said]) => !sentences.test(said))).toEqual([]);
});
