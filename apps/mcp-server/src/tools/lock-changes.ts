import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { compareCodeUnits, hashCanonical } from "@agentprint/canonical-json";
import { printable } from "@agentprint/canonical-json/text";
import { LAYERS, type LockedServer, type LockFile, parseLock } from "@agentprint/mcp-lock";
import * as z from "zod";
import type { Config } from "../config.ts";
import { McpServerError } from "../errors.ts";
import { defineTool, READS } from "./tool.ts";

/**
 * The most UTF-16 units of a name in an answer: a server chooses its tools' names, and a long name could contain
 * instructions to the model.
 */
const MAX_NAME = 128;
/** The maximum length of a lock file in bytes. */
const MAX_LOCK_BYTES = 64 * 1024 * 1024;
/** The most changes in an answer. */
const MAX_CHANGES = 200;

/** The kinds of items, each with the list in an entry that holds such items and the key of an item's name. */
const ITEMS = [
  ["tool", "tools", "name"],
  ["prompt", "prompts", "name"],
  ["resource", "resources", "uri"],
  ["resource template", "resourceTemplates", "uriTemplate"],
  ["content", "contents", "name"],
] as const;
const KINDS = ["server", "launch", "session", "part", ...ITEMS.map(([kind]) => kind)] as const;

const digests = (when: string) =>
  z.array(z.string()).describe(`Its digests in the lock ${when}; none if it is absent.`);
const Change = z.object({
  server: z.string(),
  kind: z.enum(KINDS),
  name: z.string(),
  change: z.enum(["added", "removed", "changed"]),
  layers: z.array(z.enum(LAYERS)).describe("Of a changed tool: which of its layers differ."),
  before: digests("before"),
  after: digests("now"),
});
type Change = z.output<typeof Change>;

/** `lock_changes`: returns the differences between two locks, without any server text except names. */
export const lockChanges = defineTool({
  name: "lock_changes",
  title: "List what changed in the lock",
  description:
    "Answers what changed here: compares the two lock files that this server was configured with, and lists the kinds, names and " +
    "digests of what was added, removed or changed. It shows no changed text, starts no server and accepts nothing: people " +
    "review changes with `agentprint diff` and accept them with `agentprint approve`.",
  input: z.strictObject({}),
  output: z.object({
    same: z.boolean(),
    total: z.int().describe("How many changes there are."),
    changes: z.array(Change).max(MAX_CHANGES),
  }),
  annotations: READS,
  run: async (_, { services }) => {
    const before = await readLock(services.config, "lock_base_file");
    const after = await readLock(services.config, "lock_file");
    const all = compareLocks(before, after);
    const changes = all.slice(0, MAX_CHANGES);
    const lines = changes.map(({ server, kind, name, change, layers }) => {
      const where = layers.length > 0 ? ` (${layers.join(", ")})` : "";
      return kind === "server" ? `${change}: server ${server}` : `${change}: ${server} › ${kind} ${name}${where}`;
    });
    const summary = all.length === 0 ? "The locks are the same." : `Changes: ${all.length}.`;
    return { content: { same: all.length === 0, total: all.length, changes }, text: [summary, ...lines].join("\n") };
  },
});

/**
 * Reads the lock that a setting names.
 *
 * @throws {@link McpServerError} `LOCK_UNREADABLE` when the setting is missing or its file cannot be read; the error
 * never contains the path
 * @throws {@link McpLockError} as `parseLock` does
 */
async function readLock(config: Config, setting: "lock_file" | "lock_base_file"): Promise<LockFile> {
  const variable = `AGENTPRINT_MCP_${setting.toUpperCase()}`;
  const path = config[setting];
  if (path === undefined) throw new McpServerError("LOCK_UNREADABLE", `${variable} names no lock file`);
  const bytes = await readLockFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new McpServerError("LOCK_UNREADABLE", `the file of ${variable} cannot be read: ${cause.code}`, { cause });
  });
  if (bytes === undefined) throw new McpServerError("LOCK_UNREADABLE", `the file of ${variable} is not a lock file`);
  return parseLock(bytes);
}

/**
 * Returns a file's bytes; `undefined` for a non-file, such as a pipe, which can block, and for a file longer than any
 * lock.
 */
async function readLockFile(path: string): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= MAX_LOCK_BYTES ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

/** Compares only digests and no schemas, so a hostile definition costs nothing. */
function compareLocks(before: LockFile, after: LockFile): Change[] {
  const [was, is] = [byName(before), byName(after)];
  return sortedNames(was, is).flatMap((name) => {
    const [old, now] = [was.get(name), is.get(name)];
    if (old?.digest === now?.digest) return [];
    const [pinsBefore, pinsAfter] = [pinsOf(old), pinsOf(now)];
    const changes = sortedNames(pinsBefore, pinsAfter).flatMap((key) => {
      const change = changeOf(name, pinsBefore.get(key), pinsAfter.get(key));
      return change === undefined ? [] : [change];
    });
    // An added or removed server counts as one change.
    return old && now ? changes : changes.filter(({ kind }) => kind === "server");
  });
}

/** The digests that a lock pins under one kind and name: several if sessions were shown different definitions. */
interface Pin {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  readonly digests: string[];
  readonly layers: Readonly<Record<string, string>>;
}

function pinsOf(entry: LockedServer | undefined): Map<string, Pin> {
  const pins = new Map<string, Pin>();
  if (entry === undefined) return pins;
  const add = (kind: Pin["kind"], name: string, digest: string, layers: Pin["layers"] = {}): void => {
    const key = `${KINDS.indexOf(kind)} ${name}`;
    const known = pins.get(key);
    if (known === undefined) pins.set(key, { kind, name, digests: [digest], layers });
    else known.digests.push(digest);
  };
  add("server", entry.name, entry.digest);
  add("launch", entry.launch.type, hashCanonical(entry.launch));
  for (const { session, protocolVersion } of entry.sessions) add("session", session, hashCanonical(protocolVersion));
  for (const { part, value } of entry.parts) add("part", part, hashCanonical(value));
  for (const [kind, list, key] of ITEMS) {
    for (const item of entry[list]) {
      const name = String(item.definition[key]);
      if ("digests" in item) add(kind, name, item.digests.wire, { ...item.digests });
      else add(kind, name, item.digest);
    }
  }
  return pins;
}

function changeOf(server: string, was: Pin | undefined, is: Pin | undefined): Change | undefined {
  const pin = is ?? was;
  const [before, after] = [was?.digests ?? [], is?.digests ?? []];
  if (pin === undefined || before.join() === after.join()) return undefined;
  return {
    server: printable(server, MAX_NAME),
    kind: pin.kind,
    name: printable(pin.name, MAX_NAME),
    change: was === undefined ? "added" : is === undefined ? "removed" : "changed",
    layers: was && is ? LAYERS.filter((layer) => was.layers[layer] !== is.layers[layer]) : [],
    before,
    after,
  };
}

function byName({ servers }: LockFile): Map<string, LockedServer> {
  return new Map(servers.map((entry) => [entry.name, entry]));
}

/** Returns the names in two maps, without duplicates, in code-unit order. */
function sortedNames(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort(compareCodeUnits);
}
