import type { Launch, LockedArtifact } from "@agentprint/launch";
import { checkLock, createLock, diffLocks, driftFindings, type LockFile } from "@agentprint/mcp-lock";
import { everywhere } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";

const LAUNCH = { type: "stdio", command: "npx", args: ["-y", "server@1.0.0"], env: [] } as const;
const UPGRADE = { ...LAUNCH, args: ["-y", "server@2.0.0"] };
const SERVER: LockedArtifact = {
  pointer: "/args/1",
  kind: "npm",
  name: "server",
  version: "1.0.0",
  integrity: "sha512-s",
};
const npm = (dependencies: Record<string, string>, rest: Partial<LockedArtifact> = {}): LockedArtifact => ({
  ...SERVER,
  dependencies,
  ...rest,
});
const pypi = (dependencies: Record<string, string>): LockedArtifact => ({ ...npm(dependencies), kind: "pypi" });
const image = (rest: Partial<LockedArtifact>): LockedArtifact => ({ ...SERVER, kind: "oci", ...rest });

const answersOf = (artifacts: readonly LockedArtifact[], launch: object = LAUNCH) => ({
  ...everywhere(),
  artifacts,
  launch: launch as Launch,
});
const lockOf = (artifacts: readonly LockedArtifact[], launch?: object): LockFile =>
  createLock({ s: answersOf(artifacts, launch) });
const diff = (before: LockFile, after: LockFile): string[] =>
  driftFindings(diffLocks(before, after))
    .filter(({ isRemark }) => isRemark !== true)
    .map(({ rule, level, place, before, after }) =>
      [level, rule, place.pointer, `${before ?? ""} → ${after ?? ""}`.trim()].join(" "),
    );
const LAUNCHED = "error mcp/launch-changed /args/1 server@1.0.0 → server@2.0.0";
const version = (change: string, pointer = "/args/1"): string =>
  `warning mcp/artifact-version-changed ${pointer} ${change}`;
const bytes = (change: string, pointer = "/args/1"): string => `error mcp/artifact-changed ${pointer} ${change}`;
const other = (change: string): string => `warning mcp/entry-changed /args/1 ${change}`;

describe("two entries are compared in every package that is installed with a server", () => {
  test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
    ["the same", { "a@1": "sha512-1" }, { "a@1": "sha512-1" }, []],
    [
      "another version",
      { "a@1": "sha512-1", "b@1": "sha512-b" },
      { "a@2": "sha512-2", "b@1": "sha512-b" },
      [version("a@1 sha512-1 → a@2 sha512-2")],
    ],
    ["one more", {}, { "a@1": "sha512-1" }, [version("→ a@1 sha512-1")]],
    ["one less", { "a@1": "sha512-1" }, {}, [version("a@1 sha512-1 →")]],
    ["a second copy", { "a@1": "sha512-1" }, { "a@1": "sha512-1", "a@2": "sha512-2" }, [version("→ a@2 sha512-2")]],
    [
      "one of two copies",
      { "a@1": "sha512-1", "a@2": "sha512-2" },
      { "a@2": "sha512-2", "a@3": "sha512-3" },
      [version("a@1 sha512-1 → a@3 sha512-3")],
    ],
    [
      "one copy of two",
      { "a@1": "sha512-1", "a@2": "sha512-2" },
      { "a@3": "sha512-3" },
      [version("a@1 sha512-1 → a@3 sha512-3"), version("a@2 sha512-2 →")],
    ],
    [
      "scoped names",
      { "@a/b@1": "sha512-1", "@a/c@1": "sha512-1" },
      { "@a/b@2": "sha512-2", "@a/c@1": "sha512-1" },
      [version("@a/b@1 sha512-1 → @a/b@2 sha512-2")],
    ],
    ["other bytes", { "a@1": "sha512-1" }, { "a@1": "sha512-2" }, [bytes("a@1 sha512-1 → a@1 sha512-2")]],
    ["no algorithm in common", { "a@1": "sha512-1" }, { "a@1": "sha1-1" }, [bytes("a@1 sha512-1 → a@1 sha1-1")]],
    [
      "one more algorithm",
      { "a@1": "sha512-1" },
      { "a@1": "sha512-1 sha1-1" },
      [other("a@1 sha512-1 → a@1 sha512-1 sha1-1")],
    ],
    [
      "a name that an object has from its prototype",
      { "a@1": "sha512-1" },
      { "a@1": "sha512-1", constructor: "sha512-2" },
      [version("→ constructor sha512-2")],
    ],
  ])("%s, under the same launch and a changed one", (_name, before, after, expected) => {
    expect(diff(lockOf([npm(before)]), lockOf([npm(after)]))).toEqual(expected);
    expect(diff(lockOf([npm(before)]), lockOf([npm(after)], UPGRADE))).toEqual([LAUNCHED, ...expected]);
  });

  test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
    [
      "another version with wheels for some machines",
      { "r@1/linux": "1", "r@1/win": "2" },
      { "r@2/linux": "3", "r@2/win": "4" },
      [version("r@1/linux 1, r@1/win 2 → r@2/linux 3, r@2/win 4")],
    ],
    ["a wheel of another machine", { "r@1/win": "1" }, { "r@1/linux": "2" }, [version("r@1/win 1 → r@1/linux 2")]],
    [
      "a wheel less, and a wheel without tags",
      { "r@1/linux": "1", "r@1/win": "2", "s@1": "3" },
      { "r@1": "4", "r@1/win": "2" },
      [version("r@1/linux 1 → r@1 4"), version("s@1 3 →")],
    ],
    ["one more wheel", { "r@1/win": "1" }, { "r@1/linux": "2", "r@1/win": "1" }, [version("→ r@1/linux 2")]],
    [
      "another file of a version whose wheel fits every machine",
      { "r@1": "1" },
      { "r@1/1-py3-none-any": "2" },
      [bytes("r@1 1 → r@1/1-py3-none-any 2")],
    ],
  ])("with uv: %s", (_name, before, after, expected) => {
    expect(diff(lockOf([pypi(before)]), lockOf([pypi(after)]))).toEqual(expected);
  });
});

describe("two entries are compared in their artifacts", () => {
  test.each<[string, readonly LockedArtifact[], readonly LockedArtifact[], string[]]>([
    ["one more", [], [SERVER], [version("→ server@1.0.0 sha512-s")]],
    [
      "one less, with what is installed with it",
      [npm({ "a@1": "1" })],
      [],
      [bytes("server@1.0.0 sha512-s →"), version("a@1 1 →")],
    ],
    [
      "another version, and another version of a dependency",
      [npm({ "a@1": "1" })],
      [npm({ "a@2": "2" }, { version: "1.1.0", integrity: "sha512-t" })],
      [version("server@1.0.0 sha512-s → server@1.1.0 sha512-t"), version("a@1 1 → a@2 2")],
    ],
    [
      "another version, and other bytes of a dependency",
      [npm({ "a@1": "1" })],
      [npm({ "a@1": "2" }, { version: "1.1.0" })],
      [bytes("a@1 1 → a@1 2"), version("server@1.0.0 sha512-s → server@1.1.0 sha512-s")],
    ],
    [
      "another kind",
      [npm({ "a@1": "1" })],
      [pypi({ "a@1": "1" })],
      [bytes("npm server@1.0.0 sha512-s → pypi server@1.0.0 sha512-s")],
    ],
    ["another name", [SERVER], [{ ...SERVER, name: "x" }], [version("server@1.0.0 sha512-s → x@1.0.0 sha512-s")]],
    [
      "other bytes",
      [SERVER],
      [{ ...SERVER, integrity: "sha512-t" }],
      [bytes("server@1.0.0 sha512-s → server@1.0.0 sha512-t")],
    ],
    [
      "one more algorithm",
      [SERVER],
      [{ ...SERVER, integrity: "sha512-s sha1-x" }],
      [other("server@1.0.0 sha512-s → server@1.0.0 sha512-s sha1-x")],
    ],
    [
      "no integrity any more",
      [SERVER],
      [(({ integrity: _, ...rest }) => rest)(SERVER)],
      [bytes("server@1.0.0 sha512-s → server@1.0.0")],
    ],
    [
      "an integrity",
      [(({ integrity: _, ...rest }) => rest)(SERVER)],
      [SERVER],
      [other("server@1.0.0 → server@1.0.0 sha512-s")],
    ],
    [
      "other files",
      [image({ files: { "linux/amd64": "sha256:a", "linux/arm64": "sha256:b", x: "sha256:c" } })],
      [image({ files: { "linux/amd64": "sha256:z", y: "sha256:d", x: "sha256:c sha1:e" } })],
      [
        bytes("linux/amd64 sha256:a → linux/amd64 sha256:z"),
        "note mcp/artifact-file-added /args/1 → y sha256:d",
        other("x sha256:c → x sha256:c sha1:e"),
        other("linux/arm64 sha256:b →"),
      ],
    ],
    [
      "one more install script",
      [npm({ "a@1": "1" })],
      [npm({ "a@1": "1" }, { scripts: ["a"] })],
      [bytes("→ the install scripts of a")],
    ],
    [
      "one install script less",
      [npm({ "a@1": "1", "b@1": "1" }, { scripts: ["a", "b"] })],
      [npm({ "a@1": "1", "b@1": "1" }, { scripts: ["a"] })],
      [other("the install scripts of b →")],
    ],
    [
      "a dependency that another artifact had with other bytes",
      [npm({ "a@1": "sha512-1" }), npm({}, { name: "b" })],
      [npm({}), npm({ "a@1": "sha512-2" }, { name: "b" })],
      [bytes("a@1 sha512-1 → a@1 sha512-2"), version("a@1 sha512-1 →")],
    ],
    [
      "an artifact that was a dependency with other bytes",
      [npm({ "b@1": "sha512-1" })],
      [npm({ "b@1": "sha512-1" }), { ...SERVER, name: "b", version: "1", integrity: "sha512-2" }],
      [bytes("b@1 sha512-1 → b@1 sha512-2"), version("→ b@1 sha512-2")],
    ],
    [
      "a dependency that moved to another artifact",
      [npm({ "a@1": "sha512-1" }), npm({}, { name: "b" })],
      [npm({}), npm({ "a@1": "sha512-1" }, { name: "b" })],
      [version("a@1 sha512-1 →"), version("→ a@1 sha512-1")],
    ],
    [
      "a second integrity of one algorithm, either of which a file may have",
      [npm({ "a@1": "sha512-1" })],
      [npm({ "a@1": "sha512-2 sha512-1" })],
      [bytes("a@1 sha512-1 → a@1 sha512-2 sha512-1")],
    ],
    [
      "a name and a version that together read as before",
      [{ ...SERVER, name: "a", version: "b@1" }],
      [{ ...SERVER, name: "a@b", version: "1" }],
      [version("a@b@1 sha512-s → a@b@1 sha512-s")],
    ],
    [
      "another order of two",
      [SERVER, { ...SERVER, name: "b" }],
      [{ ...SERVER, name: "b" }, SERVER],
      [expect.stringMatching(/^warning mcp\/entry-changed \/digest [\da-f]{64} → [\da-f]{64}$/) as unknown as string],
    ],
  ])("%s", (_name, before, after, expected) => {
    const found = diff(lockOf(before), lockOf(after));
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test("of a changed launch, by the word that names them and by their names", () => {
    const shifted = { ...LAUNCH, args: ["-y", "--quiet", "server@1.0.0"] };
    const moved = npm({ "a@2": "2" }, { pointer: "/args/2" });
    expect(diff(lockOf([npm({ "a@1": "1" })]), lockOf([moved], shifted))).toContain(version("a@1 1 → a@2 2"));
    const address = { type: "http", url: "https://mcp.example.com/mcp", headers: [] };
    const left = diff(lockOf([npm({ "a@1": "1" })]), lockOf([], address));
    expect(left.slice(-2)).toEqual([version("server@1.0.0 sha512-s →"), version("a@1 1 →")]);
    const scripted = npm({ "a@1": "1" }, { scripts: ["a"] });
    expect(diff(lockOf([], address), lockOf([scripted]))).toContain(bytes("→ the install scripts of a"));
    const upgraded = { ...SERVER, version: "2.0.0", integrity: "sha512-t" };
    expect(diff(lockOf([SERVER]), lockOf([upgraded], UPGRADE))).toEqual([
      LAUNCHED,
      version("server@1.0.0 sha512-s → server@2.0.0 sha512-t"),
    ]);
    const swapped = { ...SERVER, integrity: "sha512-t" };
    expect(diff(lockOf([SERVER]), lockOf([swapped], shifted))).toContain(
      bytes("server@1.0.0 sha512-s → server@1.0.0 sha512-t"),
    );
  });

  test("and a check of a server says nothing about a dependency that npm resolves to another version", () => {
    const [before, after] = [answersOf([npm({ "a@1": "1" })]), answersOf([npm({ "a@2": "2", "b@1": "1" })])];
    expect(checkLock(createLock({ s: before }), { s: after })).toMatchObject({ servers: [{ drifts: [] }] });
    expect(diff(createLock({ s: before }), createLock({ s: after }))).toHaveLength(2);
  });
});
