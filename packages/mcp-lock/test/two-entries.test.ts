import { isJsonObject, type JsonObject, type JsonValue, type PathSegment } from "@agentprint/canonical-json";
import {
  diffLocks,
  driftFindings,
  formatLock,
  LOCK_VERSION,
  type LockedServer,
  type LockFile,
  lockJsonSchema,
  McpLockError,
  parseLock,
  summarizeDrift,
} from "@agentprint/mcp-lock";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resealed, WHOLE_ENTRY } from "./whole-entry.ts";

const lockOf = (entry: LockedServer): LockFile => ({ lockVersion: LOCK_VERSION, servers: [entry] });

/** Another entry of the same server: with a login and an address instead of a program. */
const AT_ADDRESS: LockedServer = resealed({
  ...(({ files: _files, coverage: _coverage, artifacts: _artifacts, ...rest }) => rest)(WHOLE_ENTRY),
  launch: { type: "http", url: "https://mcp.example.com/mcp", headers: ["Authorization", "X-Team"] },
});

/** Members that follow from others, and the name, under which entries are compared. */
const DERIVED = /^\/(?:name|toolsDigest|digest|setHashes\/.*|tools\/\d+\/digests\/.*|[a-zA-Z]+\/\d+\/digest)$/;

type Path = readonly PathSegment[];

/** Returns the paths of all values, of a container after those in it. */
function pathsOf(value: JsonValue, at: Path = []): Path[] {
  const inside = Array.isArray(value) ? value.entries() : isJsonObject(value) ? Object.entries(value) : [];
  const paths = [...inside].flatMap(([name, member]) => pathsOf(member, [...at, name]));
  return at.length === 0 || DERIVED.test(`/${at.join("/")}`) ? paths : [...paths, at];
}

/** The ways to edit a value in its container. */
const EDITS = ["change", "replace", "remove", "repeat", "swap"] as const;
type Edit = (typeof EDITS)[number];

/** Returns a copy with one value edited; the same value if the edit is not possible there. */
function edited(entry: LockedServer, path: Path, edit: Edit, other: JsonValue): LockedServer {
  const copy = structuredClone(entry) as unknown as JsonObject;
  const container = path
    .slice(0, -1)
    .reduce<JsonValue>((value, name) => (value as JsonObject)[name] as JsonValue, copy);
  const name = path.at(-1) as PathSegment;
  if (Array.isArray(container)) {
    const place = Number(name);
    const [value] = container.slice(place);
    if (edit === "remove") container.splice(place, 1);
    else if (edit === "repeat") container.splice(place, 0, structuredClone(value) as JsonValue);
    else if (edit === "swap") container.splice(place, 2, ...container.slice(place, place + 2).reverse());
    else container[place] = edit === "replace" ? other : altered(value);
  } else {
    const members = container as JsonObject;
    if (edit === "remove") delete members[name];
    else if (edit === "repeat") members[`${name}x`] = structuredClone(members[name]) as JsonValue;
    else if (edit !== "swap") members[name] = edit === "replace" ? other : altered(members[name]);
  }
  return copy as unknown as LockedServer;
}

function altered(value: JsonValue | undefined): JsonValue {
  if (typeof value === "string") return /^[\da-f]{64}$/.test(value) ? "1".repeat(64) : `${value}x`;
  if (typeof value === "number") return value + 1;
  return typeof value === "boolean" ? !value : {};
}

/** Returns an edited entry with correct digests; `undefined` if it has none, or if a lock refuses it. */
function accepted(edit: () => LockedServer): LockedServer | undefined {
  let entry: LockedServer;
  try {
    entry = resealed(edit());
  } catch {
    return undefined;
  }
  try {
    return parseLock(JSON.stringify(lockOf(entry))).servers[0];
  } catch (error) {
    expect(error).toBeInstanceOf(McpLockError);
    return undefined;
  }
}

/** Requires that the comparison of two entries have a finding if their digests differ, and no other result. */
function expectFinding(before: LockedServer, after: LockedServer): void {
  const drift = diffLocks(lockOf(before), lockOf(after));
  const found = driftFindings(drift).filter(({ isRemark }) => isRemark !== true);
  const isSame = before.digest === after.digest;
  expect(found.length === 0).toBe(isSame);
  expect(summarizeDrift(drift).includes("unchanged")).toBe(isSame);
  expect(driftToReport(drift).servers?.[0]?.event === undefined).toBe(isSame);
}

const ENTRIES = [WHOLE_ENTRY, AT_ADDRESS] as const;

test("the entries have every member of the schema", () => {
  const named = new Set(ENTRIES.flatMap((entry) => namesIn(entry as unknown as JsonValue)));
  const { properties } = lockJsonSchema() as { properties: JsonObject };
  const listed = namesOfSchema(properties["servers"] as JsonValue);
  expect(listed.size).toBeGreaterThan(50);
  expect([...listed].filter((name) => !named.has(name))).toEqual([]);
});

function namesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]) : [];
}

function namesOfSchema(schema: JsonValue): Set<string> {
  if (Array.isArray(schema)) return new Set(schema.flatMap((each) => [...namesOfSchema(each)]));
  if (!isJsonObject(schema)) return new Set();
  const own = isJsonObject(schema["properties"] ?? null) ? Object.keys(schema["properties"] as JsonObject) : [];
  return new Set([...own, ...Object.values(schema).flatMap((each) => [...namesOfSchema(each)])]);
}

describe("two entries with different digests are never unchanged", () => {
  test("whichever value is edited", () => {
    const compared = new Set<string>();
    for (const entry of ENTRIES) {
      expect(parseLock(formatLock(lockOf(entry))).servers).toEqual([entry]);
      for (const path of pathsOf(entry as unknown as JsonValue)) {
        for (const edit of EDITS) {
          const other = accepted(() => edited(entry, path, edit, "sha1-z"));
          if (other === undefined) continue;
          expectFinding(entry, other);
          expectFinding(other, entry);
          if (other.digest !== entry.digest) compared.add(String(path[0]));
        }
      }
    }
    const members = new Set(ENTRIES.flatMap((entry) => Object.keys(entry)));
    for (const derived of ["name", "toolsDigest", "setHashes", "digest"]) members.delete(derived);
    expect([...compared].sort()).toEqual([...members].sort());
  });

  test("whichever values are edited together", () => {
    const anEdit = fc.record({ at: fc.nat(), edit: fc.constantFrom(...EDITS), other: fc.nat() });
    let compared = 0;
    fc.assert(
      fc.property(fc.constantFrom(...ENTRIES), fc.array(anEdit, { minLength: 1, maxLength: 4 }), (entry, edits) => {
        let current = entry;
        for (const { at, edit, other } of edits) {
          const paths = pathsOf(current as unknown as JsonValue);
          const path = paths[at % paths.length] as Path;
          const value = paths[other % paths.length]?.reduce<JsonValue>(
            (inside, name) => (inside as JsonObject)[name] as JsonValue,
            current as unknown as JsonValue,
          );
          current = accepted(() => edited(current, path, edit, structuredClone(value ?? null))) ?? current;
        }
        expectFinding(entry, current);
        expectFinding(current, entry);
        if (current.digest !== entry.digest) compared += 1;
      }),
      { numRuns: runs(300) },
    );
    expect(compared).toBeGreaterThan(50);
  });
});
