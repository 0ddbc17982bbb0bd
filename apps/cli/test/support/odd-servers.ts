import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { asClient, CLIENTS, guardCommand, QUIRKS, type Seen, VARYING_MODES } from "./quirks.ts";
import { Workspace } from "./workspace.ts";

const MOMENTS = fileURLToPath(new URL("./quirks-moments.cjs", import.meta.url));
const PAGE = new URL("../../../../docs/odd-servers.md", import.meta.url);

/** Returns the modes of the server with the oddities, as its code names them. */
export function modesOfQuirks(): string[] {
  const found = readFileSync(QUIRKS, "utf8").matchAll(/mode === "(\w+)"|\[((?:"\w+", )+"\w+")\]\.includes\(mode\)/g);
  const named = Array.from(found, ([, mode, several]) => (mode === undefined ? several?.match(/\w+/g) : [mode]) ?? []);
  return [...new Set(["plain", "slow2", ...named.flat()])].sort();
}

/** How agentprint treats a server, in the page's words. */
export interface Treatment {
  /** Whether `pin` exited with 0, or its error code. */
  readonly pin: string;
  /** The exit codes of two checks and an approval; empty if nothing is pinned. */
  readonly after: string;
  /** How the official clients see the server. */
  readonly clients: string;
  /** How they see it behind the guard; empty if nothing is pinned. */
  readonly guarded: string;
}

/** Returns the page's rows, by mode. */
export function rowsOfPage(): ReadonlyMap<string, Treatment> {
  const rows = readFileSync(PAGE, "utf8").matchAll(/^\| `(\w+)` +\|(.+)\|$/gm);
  return new Map(
    Array.from(rows, ([, mode = "", cells = ""]) => {
      const [, pin = "", after = "", clients = "", guarded = ""] = cells.split("|").map((cell) => cell.trim());
      return [mode, { pin, after, clients, guarded }];
    }),
  );
}

/** Modes in which a server's offers depend on chance, so that two starts act like two different servers. */
export const BY_CHANCE: ReadonlySet<string> = new Set(["ab"]);

/** Modes in which a server's offers depend on time. */
export const BY_MOMENT: ReadonlySet<string> = new Set(["latesilent", "lazy"]);

/** The guard is started from its sources, which is slow on a busy machine. */
const START = 120_000;

/**
 * Pins a server, checks it twice, approves it from a script, and connects to it as both official clients, each without
 * and with capabilities, directly and behind the guard. If `pin` and `check` report a server as unchanged, a client
 * lists and calls it behind the guard as it does without the guard; if a value varies, the client sees the pinned
 * value.
 *
 * @param isFixed Whether the clock stands still
 */
export async function treat(mode: string, isFixed: boolean = BY_MOMENT.has(mode)): Promise<Treatment> {
  using space = new Workspace();
  const command = [process.execPath, ...(isFixed ? ["--require", MOMENTS] : []), QUIRKS, mode];
  const vary = VARYING_MODES.find((each) => each.mode === mode)?.vary ?? [];
  const options = vary.flatMap((rule) => ["--vary", rule]);
  const pin = await space.runAsGiven(["pin", "--name", "q", ...options, "--", ...command]);
  const direct = await askAll(space, command);
  const clients = inWords(direct);
  if (pin.code !== 0) {
    expect(pin).toMatchObject({ code: 2, stdout: "" });
    const [, code = ""] = /^ {2}code: +([\w-]+)$/m.exec(pin.stderr) ?? [];
    return { pin: `\`${code}\``, after: "", clients, guarded: "" };
  }
  const codes: (number | null)[] = [];
  for (let time = 0; time < 2; time++) codes.push((await space.runAsGiven(["check"])).code);
  codes.push((await space.runAsGiven(["approve", "--all", "--yes"])).code);
  const guarded = await askAll(space, guardCommand("q"), START);
  expectPinned(space, guarded);
  const isSame = isDeepStrictEqual(guarded, direct);
  return {
    pin: vary.length > 0 ? "pinned with `--vary`" : "pinned",
    after: codes.join(", "),
    clients,
    guarded: vary.length > 0 && guarded.every(isListed) ? "the pinned values" : isSame ? "the same" : inWords(guarded),
  };
}

/**
 * Returns how each official client sees the server. All clients ask at once, because most of the time with an odd
 * server is spent waiting.
 */
function askAll(space: Workspace, command: readonly string[], timeout?: number): Promise<Seen[]> {
  return Promise.all(
    CLIENTS.map(async ({ version, capabilities }) =>
      inOrder(await asClient(space, command, capabilities, timeout === undefined ? { version } : { version, timeout })),
    ),
  );
}

/** Asserts that clients behind the guard saw only definitions in the lock. */
function expectPinned(space: Workspace, guarded: readonly Seen[]): void {
  const locked = new Set(space.lock().servers[0]?.tools.map(({ definition }) => textOf(definition)));
  for (const tool of guarded.flatMap(({ pages }) => pagesOf(pages).flatMap(({ tools }) => tools)))
    expect(locked).toContain(textOf(tool));
}

/** Returns a text that is the same for definitions that differ only in the order of their keys. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

function pagesOf(pages: Seen["pages"]): Exclude<Seen["pages"][number], string>[] {
  return typeof pages === "string" ? [] : pages.filter((page) => page !== "failed");
}

/**
 * Returns a view whose tools (in each page) and calls are sorted by name, because some servers list in a different
 * order each time.
 */
function inOrder({ pages, calls }: Seen): Seen {
  const byName = <T>(values: readonly T[], nameOf: (value: T) => string) =>
    values.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return {
    pages:
      typeof pages === "string"
        ? pages
        : pages.map((page) => (page === "failed" ? page : { tools: byName(page.tools, ({ name }) => name) })),
    calls: byName(calls, ([name]) => name),
  };
}

function isListed({ pages }: Seen): boolean {
  return typeof pages !== "string" && pages[0] !== "failed";
}

function inWords(seen: readonly Seen[]): string {
  const [bare1 = "", full1 = "", bare2 = "", full2 = ""] = seen.map(({ pages, calls }) => {
    if (typeof pages === "string") return pages;
    if (pages[0] === "failed") return "no list";
    const count = pagesOf(pages).reduce((sum, { tools }) => sum + tools.length, 0);
    const tools = `${count} ${count === 1 ? "tool" : "tools"}`;
    return calls.every(([, outcome]) => outcome === "called") ? tools : `${tools}, no call`;
  });
  const either = (bare: string, full: string) => (bare === full ? bare : `${bare}, with capabilities ${full}`);
  const [first, second] = [either(bare1, full1), either(bare2, full2)];
  return first === second ? first : `1.x: ${first}; 2.x: ${second}`;
}
