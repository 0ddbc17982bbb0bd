import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { CLIENT_PROFILES, DEFAULT_LIMITS, DEFAULT_SETTLE, type Limits } from "@agentprint/mcp-visit";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseCapabilities } from "./launch/capabilities.ts";
import { DEFAULT_LOCK } from "./lock/read-lock.ts";
import { collect, positiveInteger, wholeNumber } from "./option-parsers.ts";

/** Whom a visit can speak as. */
const CLIENTS: readonly string[] = [...CLIENT_PROFILES.map(({ id }) => id), "bare"];

/** The options of every command that visits servers. */
export interface VisitOptions extends Limits {
  readonly lock: string;
  readonly config?: string;
  readonly capabilities?: JsonObject;
  readonly env: readonly string[];
  readonly header: readonly string[];
  readonly url?: string;
  /** `auto`: both eras; a version: the era that speaks it. */
  readonly protocol: string;
  /** The client that the visit speaks as. */
  readonly as?: string;
  readonly views?: "client" | "all";
  readonly contents: boolean;
  /** In milliseconds; absent: twice what the other era took to its first answer, at least 1 s. */
  readonly probeTimeout?: number;
  /** How long a server is listened to after its last answer, in milliseconds. */
  readonly settle: number;
}

/** Adds what pin, check and approve have in common: which lock, how a server is reached, and what it may cost. */
export function addVisitOptions(command: Command): Command {
  return command
    .option("-l, --lock <file>", "the lock file", DEFAULT_LOCK)
    .option("--config <file>", "launches from a client's configuration: mcpServers (Claude, Cursor), servers (VS Code)")
    .option("--url <url>", "a server over streamable HTTP, instead of a command")
    .option("--env <NAME>", "pass this variable on to each command; repeatable, its value is not written", collect, [])
    .option("--header <NAME>", "send this header to each URL, value: AGENTPRINT_HEADER_<NAME>; repeatable", collect, [])
    .addOption(
      new Option(
        "--capabilities <list>",
        "client capabilities to declare: roots,sampling,elicitation or a JSON object",
      ).argParser(parseCapabilities),
    )
    .addOption(
      new Option("--as <client>", "the client to speak as; bare is agentprint itself, without capabilities").choices(
        CLIENTS,
      ),
    )
    .addOption(
      new Option("--views <views>", "speak as the client alone, or as a bare one too (all, as pin does)").choices([
        "client",
        "all",
      ]),
    )
    .addOption(
      new Option("--protocol <version>", "a protocol version such as 2026-07-28, or auto for both eras").default(
        "auto",
      ),
    )
    .option("--contents", "also pin what prompts without required arguments return and text resources hold", false)
    .addOption(
      new Option(
        "--probe-timeout <seconds>",
        "wait for the answer that tells the era (default: twice the other era's)",
      ).argParser(parseSeconds),
    )
    .addOption(
      new Option("--settle <ms>", "listen for changes after the last answer")
        .default(DEFAULT_SETTLE)
        .argParser(wholeNumber),
    )
    .addOption(seconds("--connect-timeout", "start and initialize", DEFAULT_LIMITS.connectTimeout))
    .addOption(seconds("--request-timeout", "one request", DEFAULT_LIMITS.requestTimeout))
    .addOption(seconds("--total-timeout", "one server, from start to end", DEFAULT_LIMITS.totalTimeout))
    .addOption(count("--max-bytes", "everything that one server sends", DEFAULT_LIMITS.maxBytes))
    .addOption(count("--max-items", "tools, prompts or resources of one server", DEFAULT_LIMITS.maxItems))
    .addOption(count("--max-pages", "pages of one list", DEFAULT_LIMITS.maxPages));
}

function seconds(flag: string, limits: string, milliseconds: number): Option {
  return new Option(`${flag} <seconds>`, `longest time for ${limits}`)
    .default(milliseconds, String(milliseconds / 1000))
    .argParser(parseSeconds);
}

function parseSeconds(text: string): number {
  const value = Number(text) * 1000;
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0 || value > 2 ** 31 - 1) {
    throw new InvalidArgumentError("expected a number of seconds above zero.");
  }
  return value;
}

function count(flag: string, limits: string, value: number): Option {
  return new Option(`${flag} <n>`, `most for ${limits}`).default(value).argParser(positiveInteger);
}
