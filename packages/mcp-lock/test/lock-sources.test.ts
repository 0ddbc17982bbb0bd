import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import {
  createLock,
  formatLock,
  parseLock,
  withAuthorKeys,
  withoutServer,
  withPolicy,
  withServer,
  withSkills,
  withSources,
  withStatements,
} from "../src/index.ts";

const lock = createLock({ files: answersOf([{ name: "a" }]), web: answersOf([{ name: "b" }]) });
const fromMcpJson = { config: ".mcp.json", entry: "files", server: "files" };
const fromCursor = { config: ".cursor/mcp.json", entry: "web", server: "web" };

describe("the sources of a lock", () => {
  const recorded = withSources(lock, [fromMcpJson, fromCursor]);

  test("are sorted, and read back as they were written", () => {
    expect(recorded.sources).toEqual([fromCursor, fromMcpJson]);
    expect(parseLock(formatLock(recorded)).sources).toEqual(recorded.sources);
    const last = { ...fromCursor, entry: "a" };
    expect(withSources(recorded, [last]).sources).toEqual([last, fromCursor, fromMcpJson]);
  });

  test("are in no digest", () => {
    const digests = (each: typeof lock) => each.servers.map(({ digest }) => digest);
    expect(digests(recorded)).toEqual(digests(lock));
    expect(digests(parseLock(formatLock(recorded)))).toEqual(digests(lock));
  });

  test("stay where an entry or the policy is replaced, and go with their server", () => {
    const [entry = lock.servers[0]] = lock.servers;
    expect(entry && withServer(recorded, entry).sources).toEqual(recorded.sources);
    expect(withPolicy(recorded, { preset: "compatible" }).sources).toEqual(recorded.sources);
    expect(withoutServer(recorded, "web").sources).toEqual([fromMcpJson]);
    expect(withoutServer(lock, "web").sources).toBeUndefined();
  });

  test("of an entry are the newest that were given", () => {
    const moved = { ...fromMcpJson, server: "web" };
    expect(withSources(recorded, [moved]).sources).toEqual([fromCursor, moved]);
  });

  test("can be those of all configurations, also where there are none, and that stays", () => {
    const made = withSources(lock, [], "init");
    expect(parseLock(formatLock(made))).toMatchObject({ sources: [], madeBy: "init" });
    expect(withSources(made, [fromMcpJson]).madeBy).toBe("init");
    expect(withoutServer(made, "web").madeBy).toBe("init");
    expect(withPolicy(made, { preset: "compatible" }).madeBy).toBe("init");
    expect(recorded.madeBy).toBeUndefined();
    const other = formatLock(made).replace('"madeBy": "init"', '"madeBy": "pin"');
    expect(() => parseLock(other)).toThrow(expect.objectContaining({ code: "invalid-lock" }));
  });

  test.each([
    { config: ".mcp.json", entry: "files" },
    { ...fromMcpJson, more: 1 },
    { ...fromMcpJson, entry: 1 },
    "files",
  ])("of another form are refused", (source) => {
    const text = formatLock(lock).replace('"servers":', `"sources": [${JSON.stringify(source)}],\n  "servers":`);
    expect(() => parseLock(text)).toThrow(expect.objectContaining({ code: "invalid-lock" }));
  });
});

describe("the accepted statements of a lock", () => {
  const [files, web] = lock.servers;
  const sets = files?.setHashes ?? [];
  const accepted = { server: "web", sha256: "0".repeat(64), version: "1.0.0", issued: "2026-01-31T00:00:00Z", sets };
  const recorded = withStatements(lock, [accepted, { ...accepted, server: "files" }]);

  test("are sorted, replaced by newer ones, and in no digest", () => {
    expect(recorded.statements?.map(({ server }) => server)).toEqual(["files", "web"]);
    expect(parseLock(formatLock(recorded))).toEqual(recorded);
    expect(recorded.servers).toEqual(lock.servers);
    const newer = { ...accepted, version: "1.1.0" };
    expect(withStatements(recorded, [newer]).statements?.[1]).toEqual(newer);
  });

  test("stay where an entry is replaced, and go with their server", () => {
    expect(web && withServer(recorded, web).statements).toEqual(recorded.statements);
    expect(withoutServer(recorded, "files").statements).toEqual([accepted]);
    expect(withoutServer(withoutServer(recorded, "files"), "web")).not.toHaveProperty("statements");
  });
});

describe("the keys of authors in a lock", () => {
  const [first, second] = ["0", "1"].map((digit) => digit.repeat(64)) as [string, string];
  const successors = [{ key: "a", successor: "b" }];
  const revoked = [{ key: "a", since: "2026-05-01T00:00:00Z" }];
  const keys = { server: "web", history: [first, second], successors, revoked };
  const recorded = withAuthorKeys(lock, [keys, { ...keys, server: "files" }]);

  test("are sorted, and in no digest", () => {
    expect(recorded.authorKeys?.map(({ server }) => server)).toEqual(["files", "web"]);
    expect(parseLock(formatLock(recorded))).toEqual(recorded);
    expect(recorded.servers).toEqual(lock.servers);
    expect(formatLock(withAuthorKeys(lock, []))).toBe(formatLock(lock));
  });

  test("are not forgotten, whatever else changes", () => {
    const [, web] = lock.servers;
    expect(web && withServer(recorded, web).authorKeys).toEqual(recorded.authorKeys);
    expect(withoutServer(recorded, "web").authorKeys).toEqual(recorded.authorKeys);
    const other = { key: "a", successor: "c" };
    const less = { server: "web", history: [first], successors: [other, { key: "b", successor: "d" }], revoked: [] };
    expect(withAuthorKeys(recorded, [less]).authorKeys?.[1]).toEqual({
      ...keys,
      successors: [...successors, { key: "b", successor: "d" }],
    });
    const more = { ...keys, history: [first, second, first] };
    expect(withAuthorKeys(recorded, [more]).authorKeys?.[1]).toEqual(more);
  });

  test.each<[string, object]>([
    ["/authorKeys/0/history", { ...keys, history: [] }],
    ["/authorKeys/0/history/0", { ...keys, history: ["a"] }],
    ["/authorKeys/0/successors/0/successor", { ...keys, successors: [{ key: "a" }] }],
    ["/authorKeys/0/revoked/0/since", { ...keys, revoked: [{ key: "a", since: 1 }] }],
    ["/authorKeys/0", { ...keys, more: 1 }],
  ])("are refused with something else at %s", (path, value) => {
    const text = formatLock(lock).replace('"servers":', `"authorKeys": [${JSON.stringify(value)}],\n  "servers":`);
    expect(() => parseLock(text)).toThrow(expect.objectContaining({ code: "invalid-lock", path }));
  });
});

describe("the skills of a lock", () => {
  const digest = "0".repeat(64);
  const [pdf, git] = ["pdf", "git"].map((name) => {
    const scripts = { "scripts/run.sh": digest };
    return { path: `.claude/skills/${name}`, name, tree: digest, text: digest, scripts, rest: digest };
  }) as [never, never];
  const instructions = ["CLAUDE.md", "AGENTS.md"].map((path) => ({ path, digest }));
  const recorded = withSkills(lock, { folders: [pdf, git], instructions });

  test("are sorted by path, and in no digest", () => {
    expect(recorded.skills).toEqual({ folders: [git, pdf], instructions: instructions.toReversed() });
    expect(parseLock(formatLock(recorded))).toEqual(recorded);
    expect(recorded.servers).toEqual(lock.servers);
    expect(formatLock(lock)).not.toContain("skills");
  });

  test("stay where servers come and go, also where there are none", () => {
    const [web] = lock.servers.slice(1);
    expect(web && withServer(recorded, web).skills).toEqual(recorded.skills);
    expect(withoutServer(recorded, "files").skills).toEqual(recorded.skills);
    const none = withSkills(createLock({}), { folders: [], instructions: [] });
    expect(parseLock(formatLock(none)).skills).toEqual({ folders: [], instructions: [] });
  });

  test("are refused where a script has no digest", () => {
    const text = formatLock(recorded).replace(`"scripts/run.sh": "${digest}"`, '"scripts/run.sh": "a"');
    const path = "/skills/folders/0/scripts/scripts~1run.sh";
    expect(() => parseLock(text)).toThrow(expect.objectContaining({ code: "invalid-lock", path }));
  });
});
