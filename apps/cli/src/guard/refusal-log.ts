import { appendFile, readFile, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CanonicalJsonError, isJsonObject, type JsonObject, parseJson } from "@agentprint/canonical-json";
import { printable } from "@agentprint/canonical-json/text";
import type { GuardEvent } from "@agentprint/guard";
import { makeFolder } from "@agentprint/recorder/folder";
import type { Row } from "@agentprint/trail-page";
import { stateFolder } from "../files/state-folder.ts";
import type { Context } from "../run/context.ts";
import { isMissing, reasonOf } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { Observer } from "./observer.ts";

/** A refusal of a guard that records nothing. */
interface Refusal {
  readonly time: string;
  readonly server: string;
  readonly method?: string;
  readonly tool?: string;
  readonly rules: readonly string[];
  readonly reason: string;
}

/** The maximum size of a file of refusals, in bytes; one older file of this size is kept. */
const MAX_FILE_BYTES = 1024 * 1024;
/** The maximum number of bytes of refusals that wait to be written to the file. */
const MAX_WAITING_BYTES = MAX_FILE_BYTES;
/** The maximum number of bytes that may wait on standard error until someone reads them; then no refusal is printed. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** The maximum number of UTF-16 units that a line shows of a server, method or tool name. */
const MAX_NAME = 120;
/**
 * The number of tools left out of lists that are remembered, so that each is printed once; beyond this number, tools
 * are printed again.
 */
const MAX_NOTED = 1000;

/**
 * Prints each refusal of a guard as one line on standard error, and keeps it for `guard log` if there is no recording.
 */
export class RefusalLog implements Observer {
  readonly #context: Context;
  readonly #options: Pick<GuardCommandOptions, "record" | "dryRun">;
  /** The tools that were left out of lists; each listing refuses them again. */
  readonly #noted = new Set<string>();
  /** The lines that the file does not have yet. */
  #waiting: string[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #hasFailed = false;

  constructor(context: Context, options: Pick<GuardCommandOptions, "record" | "dryRun">) {
    this.#context = context;
    this.#options = options;
  }

  readonly onEvent = (event: GuardEvent): void => {
    if (event.kind === "replaced") this.#noted.clear();
    const { outcome, reason = "the policy refuses it" } = event;
    if (outcome === "refused") this.#print(event, event.tool, reason);
    for (const [tool, decision] of event.tools ?? []) {
      const key = JSON.stringify([event.server, tool, event.findings]);
      if (decision !== "block" || this.#noted.has(key)) continue;
      if (this.#noted.size < MAX_NOTED) this.#noted.add(key);
      this.#print(event, tool, "the list is shown without it");
    }
  };

  readonly close = async (): Promise<void> => this.#writing;

  #print({ server, method, findings, time }: GuardEvent, tool: string | undefined, reason: string): void {
    const refusal: Refusal = {
      time: new Date(time).toISOString(),
      server: printable(server, MAX_NAME),
      ...(method && { method: printable(method, MAX_NAME) }),
      ...(tool !== undefined && { tool: printable(tool, MAX_NAME) }),
      rules: findings,
      reason,
    };
    const would = this.#options.dryRun ? "would be " : "";
    if (this.#context.stderr.writableLength < MAX_UNREAD_BYTES)
      printNotices(this.#context, [`${server}: ${would}refused ${whatOf(refusal)}: ${whyOf(refusal)}`]);
    if (this.#options.record === undefined) this.#keep(`${JSON.stringify(refusal)}\n`);
  }

  #keep(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      this.#fail("too many come at once");
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    const file = refusalFile(this.#context);
    while (this.#waiting.length > 0) {
      const text = this.#waiting.join("");
      const bytes = this.#waitingBytes;
      this.#waiting = [];
      this.#waitingBytes = 0;
      try {
        await makeFolder(dirname(file), 0o700);
        const length = await stat(file).then(
          ({ size }) => size,
          () => 0,
        );
        if (length > 0 && length + bytes > MAX_FILE_BYTES) await rename(file, `${file}.old`);
        await appendFile(file, text, { mode: 0o600 });
      } catch (error) {
        this.#fail(reasonOf(error));
      }
    }
    this.#writing = undefined;
  }

  #fail(why: string): void {
    if (!this.#hasFailed) printNotices(this.#context, [`a refusal is not kept for guard log: ${why}`]);
    this.#hasFailed = true;
  }
}

function refusalFile(context: Pick<Context, "env">): string {
  return join(stateFolder(context), "refusals.jsonl");
}

function whatOf({ method, tool }: Refusal): string {
  return [tool === undefined ? undefined : `the tool ${tool}`, method].filter(Boolean).join(" in ") || "a message";
}

function whyOf({ rules, reason }: Refusal): string {
  return [...rules, reason].join(", ");
}

/**
 * Reads the refusals of guards that recorded nothing, the oldest first. Lines that are not refusals, such as a
 * truncated one, are left out.
 */
export async function readRefusals(context: Pick<Context, "env">): Promise<Refusal[]> {
  const file = refusalFile(context);
  const texts = await Promise.all(
    [`${file}.old`, file].map((path) =>
      readFile(path, "utf8").catch((error: unknown) => {
        if (isMissing(error)) return "";
        throw error;
      }),
    ),
  );
  return texts.flatMap((text) => text.split("\n")).flatMap((line) => refusalIn(line) ?? []);
}

function refusalIn(line: string): Refusal | undefined {
  if (line === "") return undefined;
  try {
    const value = parseJson(line);
    return isJsonObject(value) && isRefusal(value) ? (value as unknown as Refusal) : undefined;
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return undefined;
  }
}

function isRefusal({ time, server, method = "", tool = "", rules, reason }: JsonObject): boolean {
  const isText = (value: unknown) => typeof value === "string";
  return [time, server, method, tool, reason].every(isText) && Array.isArray(rules) && rules.every(isText);
}

/** Returns a refusal as a row of the timeline. */
export function rowOfRefusal(refusal: Refusal): Row {
  const { time, server, rules, reason } = refusal;
  const what = `${server} ${whatOf(refusal)}`;
  return { sort: "refused", tone: "bad", time, task: "", label: "refused", what, why: [...rules, reason], records: [] };
}
