import type { FoundArtifact, LockedArtifact } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";
import {
  checkLock,
  compareArtifacts,
  coverageOfEntry,
  createLock,
  formatLock,
  lockServer,
  McpLockError,
  parseLock,
  type ServerDrift,
} from "@agentprint/mcp-lock";
import { everywhere } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";

const npm = (integrity?: string, dependencies?: Record<string, string>): LockedArtifact => ({
  pointer: "/args/1",
  kind: "npm",
  name: "server",
  version: "1.0.0",
  ...(integrity !== undefined && { integrity }),
  ...(dependencies && { dependencies }),
});
const scripted = (...scripts: string[]): LockedArtifact => ({ ...npm("sha512-a"), scripts });
const wheel = "server-1.0.0-py3-none-any.whl";
const pypi = (files: Record<string, string>, chosen?: string): LockedArtifact | FoundArtifact => ({
  ...npm(),
  kind: "pypi",
  files,
  ...(chosen !== undefined && { chosen, source: "registry" }),
});
const tool = (dependencies?: Record<string, string>): LockedArtifact => ({
  ...npm("sha256:a", dependencies),
  kind: "pypi",
});
const image = (integrity?: string, files?: Record<string, string>): LockedArtifact => ({
  ...npm(integrity),
  kind: "oci",
  ...(files && { files }),
});
const same = { changes: [], added: [], moved: [], untold: [] };
const changed = (before: string | undefined, after: string) => ({
  ...same,
  changes: [{ pointer: "/args/1", ...(before !== undefined && { before }), after }],
});
const untold = { ...same, untold: ["server@1.0.0"] };

describe("artifacts are compared", () => {
  test.each([
    ["the same integrity", npm("sha512-a"), npm("sha512-a"), same],
    ["another integrity", npm("sha512-a"), npm("sha512-b"), changed("server@1.0.0 sha512-a", "server@1.0.0 sha512-b")],
    ["one algorithm of two", npm("sha1-x sha512-a"), npm("sha512-a"), same],
    [
      "another value of the strongest",
      npm("sha512-a sha1-x"),
      npm("sha1-x sha512-b"),
      changed("server@1.0.0 sha512-a sha1-x", "server@1.0.0 sha1-x sha512-b"),
    ],
    [
      "two values of the strongest, either of which a file may have",
      npm("sha512-a"),
      npm("sha512-b sha512-a"),
      changed("server@1.0.0 sha512-a", "server@1.0.0 sha512-b sha512-a"),
    ],
    ["no algorithm in common", npm("sha512-a"), npm("sha1-x"), untold],
    ["no integrity any more", npm("sha512-a"), npm(), untold],
    ["no integrity before", npm(), npm("sha512-a"), same],
    [
      "another version",
      npm("sha512-a"),
      { ...npm("sha512-a"), version: "2.0.0" },
      { ...same, moved: [{ pointer: "/args/1", before: "server@1.0.0 sha512-a", after: "server@2.0.0 sha512-a" }] },
    ],
    ["another word", npm("sha512-a"), { ...npm("sha512-a"), pointer: "/args/2" }, untold],
    [
      "a dependency with other bytes",
      npm("sha512-a", { "zod@4.0.0": "sha512-c" }),
      npm("sha512-a", { "zod@4.0.0": "sha512-d" }),
      changed("zod@4.0.0 sha512-c", "zod@4.0.0 sha512-d"),
    ],
    [
      "a dependency in another version",
      npm("sha512-a", { "zod@4.0.0": "sha512-c" }),
      npm("sha512-a", { "zod@4.1.0": "sha512-d" }),
      same,
    ],
    [
      "more install scripts",
      scripted("esbuild"),
      scripted("esbuild", "sharp"),
      changed(undefined, "the install scripts of sharp"),
    ],
    ["fewer install scripts", scripted("esbuild", "sharp"), scripted("esbuild"), same],
    ["dependencies that nobody read", npm("sha512-a", { "zod@4.0.0": "sha512-c" }), npm("sha512-a"), same],
    ["what uv installs, as it was", tool({ "anyio@4.0.0": "sha256:b" }), tool({ "anyio@4.0.0": "sha256:b" }), same],
    [
      "what uv installs with other bytes",
      tool({ "anyio@4.0.0": "sha256:b" }),
      tool({ "anyio@4.0.0": "sha256:c" }),
      changed("anyio@4.0.0 sha256:b", "anyio@4.0.0 sha256:c"),
    ],
    [
      "what uv installs in another version, of which this machine has two files",
      tool({ "anyio@4.0.0": "sha256:b", "rpds-py@1.0/win": "sha256:c" }),
      tool({ "anyio@4.1.0/one": "sha256:b", "anyio@4.1.0/two": "sha256:b", "colorama@1.0": "sha256:d" }),
      { ...same, moved: [{ pointer: "/args/1", before: "anyio@4.0.0", after: "anyio@4.1.0" }] },
    ],
    [
      "another file of a version whose wheel fits every machine",
      tool({ "anyio@4.0.0": "sha256:b" }),
      tool({ "anyio@4.0.0": "sha256:b", "anyio@4.0.0/1-py3-none-any": "sha256:c" }),
      changed("anyio@4.0.0 sha256:b", "anyio@4.0.0/1-py3-none-any sha256:c"),
    ],
    [
      "a wheel of another machine",
      tool({ "rpds-py@1.0/win": "sha256:b" }),
      tool({ "rpds-py@1.0/linux": "sha256:c" }),
      same,
    ],
    ["what uv installs, which nobody could read", tool({ "anyio@4.0.0": "sha256:b" }), tool(), untold],
    ["what nobody pinned", tool(), tool({ "anyio@4.0.0": "sha256:b" }), same],
    ["the same file", pypi({ [wheel]: "1" }), pypi({ [wheel]: "1" }, wheel), same],
    [
      "a file with other bytes",
      pypi({ [wheel]: "1" }),
      pypi({ [wheel]: "2" }, wheel),
      changed(`${wheel} 1`, `${wheel} 2`),
    ],
    [
      "a new file that runs",
      pypi({ [wheel]: "1" }),
      pypi({ [wheel]: "1", new: "2" }, "new"),
      changed(undefined, "new 2"),
    ],
    [
      "a new file that does not run",
      pypi({ [wheel]: "1" }),
      pypi({ [wheel]: "1", new: "2" }, wheel),
      { ...same, added: [{ pointer: "/args/1", after: "new 2" }] },
    ],
    ["files of which none is known any more", pypi({ [wheel]: "1" }), npm("sha512-a"), untold],
    ["the index of an image alone", image("sha256:a", { "linux/amd64": "sha256:b" }), image("sha256:a"), same],
    [
      "one platform of an image alone",
      image("sha256:a", { "linux/amd64": "sha256:b" }),
      image(undefined, { "linux/amd64": "sha256:b" }),
      same,
    ],
    [
      "another platform of an image",
      image("sha256:a", { "linux/amd64": "sha256:b" }),
      image(undefined, { "linux/amd64": "sha256:c" }),
      changed("linux/amd64 sha256:b", "linux/amd64 sha256:c"),
    ],
  ] as const)("%s", (_name, before, after, expected) => {
    expect(compareArtifacts([before], [after])).toEqual(expected);
  });
});

const withArtifacts = (...artifacts: (LockedArtifact | FoundArtifact)[]): VisitAnswers => ({
  ...everywhere(),
  artifacts,
});
const check = (before: VisitAnswers, after: VisitAnswers): ServerDrift | undefined =>
  checkLock(createLock({ s: before }), { s: after }).servers[0];

describe("the artifacts of an entry", () => {
  test("are in its digest, sorted by pointer, without what is true of one machine", () => {
    const second = { ...npm("sha512-b"), pointer: "/args/2" };
    const found: FoundArtifact = { ...npm("sha512-a"), source: "installed", chosen: "x" };
    const entry = lockServer("s", withArtifacts(second, found));
    expect(entry.artifacts).toEqual([npm("sha512-a"), second]);
    expect(lockServer("s", everywhere()).digest).not.toBe(entry.digest);
    expect(parseLock(formatLock({ lockVersion: 2, servers: [entry] })).servers).toEqual([entry]);
    expect(lockServer("s", withArtifacts())).toEqual(lockServer("s", everywhere()));
  });

  test("are drift where their bytes changed, or nothing is known of them any more", () => {
    expect(check(withArtifacts(npm("sha512-a")), withArtifacts(npm("sha512-b")))).toMatchObject({
      outcome: "drift",
      drifts: [{ part: "artifacts", changes: [{ pointer: "/args/1" }] }],
    });
    expect(check(withArtifacts(npm("sha512-a")), withArtifacts(npm()))).toMatchObject({
      outcome: "drift",
      drifts: [{ part: "artifacts", changes: [{ pointer: "/args/1", before: "server@1.0.0" }] }],
    });
  });

  test("are no drift where the entry has none, the visit did not read them, or only dependencies differ", () => {
    const pinned = withArtifacts(npm("sha512-a", { "zod@4.0.0": "sha512-c" }));
    expect(check(everywhere(), pinned)).toMatchObject({ outcome: "same", drifts: [] });
    expect(check(pinned, everywhere())).toMatchObject({ outcome: "same", drifts: [] });
    const later = check(pinned, withArtifacts(npm("sha512-a", { "zod@4.1.0": "sha512-d" })));
    expect(later).toMatchObject({ outcome: "same", drifts: [] });
    expect(later?.digest.after).toBe(later?.digest.before);
  });

  test("that are new files of a release are a note", () => {
    const { outcome, drifts } = check(
      withArtifacts(pypi({ [wheel]: "1" })),
      withArtifacts(pypi({ [wheel]: "1", new: "2" }, wheel)),
    ) as ServerDrift;
    expect({ outcome, drifts }).toMatchObject({ outcome: "same", drifts: [{ part: "artifactFiles" }] });
  });

  test("are drift where the packages of another launch may run scripts that none might before", () => {
    const launch = { type: "stdio", command: "npx", args: ["server@2.0.0"], env: [] } as const;
    const upgraded = {
      ...withArtifacts(scripted("esbuild", "sharp")),
      launch: { ...launch, args: [...launch.args], env: [] },
    };
    const changes = [{ pointer: "/args/1", after: "the install scripts of sharp" }];
    const scripts = { type: "part-changed", part: "artifacts", changes };
    expect(check(withArtifacts(scripted("esbuild")), upgraded)?.drifts).toContainEqual(scripts);
    expect(check(upgraded, withArtifacts(scripted("esbuild")))?.drifts).toMatchObject([{ part: "launch" }]);
    expect(check(everywhere(), upgraded)?.drifts).toMatchObject([{ part: "launch" }, { part: "artifacts" }]);
  });

  test("keep the install scripts that may run, which make the launch not covered", () => {
    const entry = lockServer("s", {
      ...withArtifacts({ ...npm("sha512-a", { "@a/b@1.0.0": "x" }), scripts: ["@a/b", "server"] }),
    });
    expect(parseLock(formatLock({ lockVersion: 2, servers: [entry] })).servers).toEqual([entry]);
    expect(coverageOfEntry({ ...entry, coverage: { state: "artifact" } })).toMatchObject({
      state: "not covered",
      word: "@a/b",
    });
  });

  test.each([
    ["a package that is not there", ["other"], "/servers/0/artifacts/0/scripts/0"],
    ["another order", ["server", "@a/b"], "/servers/0/artifacts/0/scripts"],
    ["a name twice", ["server", "server"], "/servers/0/artifacts/0/scripts"],
    ["no list of names", [], "/servers/0/artifacts/0/scripts"],
  ])("with install scripts that are wrong are refused: %s", (_name, scripts, path) => {
    const artifact = { ...npm("sha512-a", { "@a/b@1.0.0": "x", nothing: "y" }), scripts };
    const lock = JSON.stringify({ lockVersion: 2, servers: [lockServer("s", withArtifacts(artifact))] });
    expect(() => parseLock(lock)).toThrow(expect.objectContaining({ code: "invalid-lock", path }));
    const python = JSON.stringify({
      lockVersion: 2,
      servers: [lockServer("s", withArtifacts({ ...artifact, kind: "pypi", scripts: ["server"] }))],
    });
    expect(() => parseLock(python)).toThrow(expect.objectContaining({ code: "invalid-lock" }));
  });

  test("are drift of a server that was not started for them", () => {
    const lock = createLock({ s: withArtifacts(npm("sha512-a")) });
    const artifacts = [{ pointer: "/args/1", before: "server@1.0.0 sha512-a", after: "server@1.0.0 sha512-b" }];
    const { outcome, servers } = checkLock(lock, { s: { failure: { code: "x", message: "y", artifacts } } });
    expect(outcome).toBe("drift");
    expect(servers).toMatchObject([{ outcome: "drift", drifts: [{ part: "artifacts", changes: artifacts }] }]);
    expect(servers[0]?.failure).toBeUndefined();
  });

  test.each([
    ["no list", {}, "/servers/0/artifacts"],
    ["another kind", [{ ...npm(), kind: "gem" }], "/servers/0/artifacts/0/kind"],
    ["a file without a digest", [{ ...npm(), files: { a: 1 } }], "/servers/0/artifacts/0/files/a"],
    ["files that are no object", [{ ...npm(), files: [] }], "/servers/0/artifacts/0/files"],
  ])("of another form are refused: %s", (_name, artifacts, path) => {
    const entry = { ...lockServer("s", everywhere()), artifacts };
    const read = (): unknown => parseLock(JSON.stringify({ lockVersion: 2, servers: [entry] }));
    expect(read).toThrow(McpLockError);
    expect(read).toThrow(expect.objectContaining({ code: "invalid-lock", path }));
  });
});
