import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "vitest";
import { answersAsAlone } from "../support/answers-as-alone.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "views-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const KINDS = ["port", "file", "wait", "database", "late", "other"] as const;

test.each(KINDS)("a server with one %s has the answers that it has alone, in one era", (kind) =>
  answersAsAlone(kind, folder, "legacy", ["legacy"]),
);

test.each(KINDS)("a server with one %s has the answers that it has alone, in both eras", (kind) =>
  answersAsAlone(kind, folder, "auto", ["legacy", "modern"]),
);

// In the "other" case, the process of the missing era may come first, and the views are alike.
test.each(KINDS.filter((kind) => kind !== "other"))(
  "a server with one %s and one era has the answers that it has alone",
  (kind) => answersAsAlone(kind, folder, "auto", ["legacy"]),
);
