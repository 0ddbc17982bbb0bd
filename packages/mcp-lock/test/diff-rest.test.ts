import { createLock, diffLocks, driftFindings, type LockFile, lockServer, summarizeDrift } from "@agentprint/mcp-lock";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import { everywhere, session, visit } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";

const diff = (before: LockFile, after: LockFile): string[] =>
  driftFindings(diffLocks(before, after))
    .filter(({ isRemark }) => isRemark !== true)
    .map(({ rule, level, place, before, after }) =>
      [level, rule, place.pointer, `${before ?? ""} → ${after ?? ""}`.trim()].join(" "),
    );

describe("two entries are compared in the rest", () => {
  const entry = (answers: object, options = {}): LockFile => ({
    lockVersion: 2,
    servers: [lockServer("s", { ...everywhere(), ...answers }, options)],
  });
  const digest = (character: string) => character.repeat(64);
  const file = (pointer: string, character: string) => ({ pointer, digest: digest(character) });
  const login = {
    issuer: "https://a.example",
    resource: "https://a.example",
    scopes: [],
    client: "dynamic",
    endpoints: {},
  };
  test.each<[string, LockFile, LockFile, string[]]>([
    [
      "files that only one has",
      entry({ files: [file("/args/0", "0")] }),
      entry({ coverage: { state: "files" } }),
      [
        "warning mcp/entry-changed /coverage  → [object Object]",
        `error mcp/launch-file-changed /args/0 ${digest("0")} →`,
      ],
    ],
    [
      "files of an entry without coverage",
      entry({ files: [file("/args/0", "0"), file("/args/1", "1")] }),
      entry({ files: [file("/args/0", "0")], coverage: { state: "not covered", word: "a", envFiles: [".env"] } }),
      [
        "warning mcp/entry-changed /coverage  → [object Object]",
        `error mcp/launch-file-changed /args/1 ${digest("1")} →`,
      ],
    ],
    [
      "the registration and the account of a login",
      entry({ auth: login }),
      entry({ auth: { ...login, client: "pre-registered", account: "two" } }),
      [
        "warning mcp/entry-changed /auth/client dynamic → pre-registered",
        "warning mcp/entry-changed /auth/account  → two",
      ],
    ],
    ["a login", entry({}), entry({ auth: login }), ["warning auth/metadata-changed   → [object Object]"]],
    [
      "the sessions",
      entry(visit(session("legacy/bare"), session("legacy/client"))),
      entry(visit(session("legacy/client"))),
      ["note mcp/sessions-changed legacy/bare,legacy/client → legacy/client"],
    ],
    [
      "the members that are left out",
      entry({}),
      entry({}, { unstable: ["/tools/_meta/id"] }),
      ["warning mcp/entry-changed /unstable  → /tools/_meta/id"],
    ],
  ])("%s", (_name, before, after, expected) => {
    const squeezed = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/ +/g, " "));
    expect(squeezed(diff(before, after))).toEqual(squeezed(expected));
  });
});

test("a summary counts the versions that changed, and calls an entry with notes not unchanged", () => {
  const many = (version: number): LockFile => {
    const names = Array.from({ length: 90 }, (_, index) => [`p${index}@${version}`, `sha512-${version}`] as const);
    const artifact = {
      pointer: "/args/1",
      kind: "npm",
      name: "server",
      version: "1.0.0",
      integrity: "sha512-s",
    } as const;
    return createLock({
      s: { ...everywhere(), artifacts: [{ ...artifact, dependencies: Object.fromEntries(names) }] },
    });
  };
  const drift = diffLocks(many(1), many(2));
  expect(summarizeDrift(drift)).toBe("s drifted: versions of 90 launched packages changed");
  const versions = (supportedVersions: string[]) =>
    createLock({
      s: visit(session("modern/client", { greeting: { supportedVersions } })),
      same: everywhere(),
    });
  const noted = diffLocks(versions(["2026-07-28"]), versions(["2026-07-28", "2027-01-01"]));
  expect(noted.outcome).toBe("same");
  expect(summarizeDrift(noted)).toBe("s has notes only: supported protocol versions changed; same unchanged (1 tool)");
  expect(driftToReport(noted).servers).toMatchObject([
    { server: "s", outcome: "same", event: "supported protocol versions changed" },
    { server: "same", outcome: "same" },
  ]);
});
