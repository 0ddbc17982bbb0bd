import type { FoundArtifact, LockedArtifact } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { checkLock, createLock, driftFindings } from "../src/index.ts";

const TOOL = { name: "read", inputSchema: { type: "object" } };
const CHANGED = { ...TOOL, description: "Reads" };
const ARTIFACT: LockedArtifact = {
  pointer: "/args/0",
  kind: "npm",
  name: "files",
  version: "1.0.0",
  integrity: "sha512-a",
};
const FILES = [{ pointer: "/args/0", digest: "a".repeat(64) }];

type Given = Partial<Pick<VisitAnswers, "files">> & {
  readonly artifacts?: readonly (LockedArtifact | FoundArtifact)[];
};
const said = (tool: typeof TOOL, given: Given, version = "1"): VisitAnswers => ({
  ...answersOf([tool], { serverInfo: { name: "server", version } }),
  ...given,
});

/** Returns a check's notes about dependencies. */
function notesOf(before: VisitAnswers, after: VisitAnswers): (string | undefined)[] {
  const findings = driftFindings(checkLock(createLock({ fs: before }), { fs: after }));
  return findings.flatMap(({ rule, level, isRemark, note }) => {
    if (rule !== "mcp/dependency-changed") return [];
    expect([level, isRemark]).toEqual(["note", true]);
    return [note];
  });
}

const withPackages = (kind: "npm" | "pypi", ...titles: string[]): Given => ({
  artifacts: [
    { ...ARTIFACT, kind, dependencies: Object.fromEntries(titles.map((title) => [title, `sha512-${title}`])) },
  ],
});

describe("items that changed in the same version and launched files", () => {
  test.each([
    ["npm", ["zod@3.25.76", "@a/b@1.0.0", "ms@2.0.0"], ["zod@4.1.0", "@a/b@2.0.0", "ms@2.0.0"]],
    ["pypi", ["zod@3.25.76/cp312-win", "@a/b@1.0.0"], ["zod@4.1.0/cp312-win", "zod@4.1.0", "@a/b@2.0.0"]],
  ] as const)("name the packages of %s whose version changed", (kind, old, now) => {
    const notes = notesOf(said(TOOL, withPackages(kind, ...old)), said(CHANGED, withPackages(kind, ...now)));
    expect(notes).toEqual(["In another version: zod 3.25.76 → 4.1.0, @a/b 1.0.0 → 2.0.0"]);
  });

  test("name versions that one side alone has, and nothing that came or went as a whole", () => {
    const before = withPackages("npm", "zod@3.0.0", "zod@4.0.0", "gone@1.0.0");
    const after = withPackages("npm", "zod@3.0.0", "zod@4.1.0", "fresh@1.0.0");
    expect(notesOf(said(TOOL, before), said(CHANGED, after))).toEqual(["In another version: zod 4.0.0 → 4.1.0"]);
  });

  test.each<[string, Given]>([
    ["no packages", { artifacts: [ARTIFACT] }],
    ["a script", { files: FILES }],
    ["both", { artifacts: [ARTIFACT], files: FILES }],
  ])("say that no package is known where the lock has %s", (_, given) => {
    expect(notesOf(said(TOOL, given), said(CHANGED, given))).toEqual([
      "No package in the lock is known to have another version",
    ]);
  });

  test("name a few of many packages, without escapes", () => {
    const titles = (version: string) => Array.from({ length: 20 }, (_, index) => `p${index}\u001b[2J@${version}`);
    const [note = ""] = notesOf(
      said(TOOL, withPackages("npm", ...titles("1"))),
      said(CHANGED, withPackages("npm", ...titles("2"))),
    );
    expect(note).toContain("12 more");
    expect(note).not.toContain("\u001b");
  });
});

describe("nothing is said of dependencies", () => {
  const { integrity: _, ...unread } = ARTIFACT;
  const image: LockedArtifact = { ...ARTIFACT, kind: "oci" };
  test.each<[string, VisitAnswers, VisitAnswers]>([
    ["where no item changed", said(TOOL, { artifacts: [ARTIFACT] }), said(TOOL, { artifacts: [ARTIFACT] })],
    ["where the lock has no digest", said(TOOL, {}), said(CHANGED, {})],
    ["where the server says another version", said(TOOL, { files: FILES }), said(CHANGED, { files: FILES }, "2")],
    [
      "where the file has other bytes",
      said(TOOL, { files: FILES }),
      said(CHANGED, { files: [{ pointer: "/args/0", digest: "b".repeat(64) }] }),
    ],
    ["where the file was not read", said(TOOL, { files: FILES }), said(CHANGED, {})],
    ["where the package was not read", said(TOOL, { artifacts: [ARTIFACT] }), said(CHANGED, {})],
    [
      "where the package has other bytes",
      said(TOOL, { artifacts: [ARTIFACT] }),
      said(CHANGED, { artifacts: [{ ...ARTIFACT, integrity: "sha512-b" }] }),
    ],
    [
      "where the package is in another version",
      said(TOOL, { artifacts: [ARTIFACT] }),
      said(CHANGED, { artifacts: [{ ...ARTIFACT, version: "2.0.0", integrity: "sha512-b" }] }),
    ],
    ["where the package has no integrity", said(TOOL, { artifacts: [unread] }), said(CHANGED, { artifacts: [unread] })],
    ["of an image", said(TOOL, { artifacts: [image] }), said(CHANGED, { artifacts: [image] })],
    [
      "where the launch is another one",
      said(TOOL, { artifacts: [ARTIFACT] }),
      { ...said(CHANGED, { artifacts: [ARTIFACT] }), launch: { type: "stdio", command: "b", args: [], env: [] } },
    ],
  ])("%s", (_name, before, after) => {
    expect(notesOf(before, after)).toEqual([]);
  });
});
