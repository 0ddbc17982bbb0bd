import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { CLIENT_PROFILES, DEFAULT_LIMITS, DEFAULT_SETTLE, type Limits } from "@agentprint/mcp-visit";
import { type Command, Option } from "commander";
import { DEFAULT_LOCK } from "./lock/read-lock.ts";
import { clientCapabilities, collect, positiveInteger, seconds, wholeNumber } from "./option-parsers.ts";

/** The clients that a visit can speak as. */
const CLIENTS: readonly string[] = [...CLIENT_PROFILES.map(({ id }) => id), "bare"];

/** The options of every command that visits servers. */
export interface VisitOptions extends Limits {
  readonly lock: string;
  readonly mcpConfig: readonly string[];
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
  /** The time to listen to a server after its last answer, in milliseconds. */
  readonly settle: number;
}

/** Adds the options of every command that visits servers: the lock, how a server is reached, and the limits of a visit. */
export function addVisitOptions(command: Command): Command {
  addLockOption(command)
    .option(
      "--mcp-config <file>",
      "read launches from a client's configuration: Claude, Cursor, VS Code, Zed, Codex and others; repeatable",
      collect,
      [],
    )
    .option("--url <url>", "a server over streamable HTTP, instead of a command")
    .option(
      "--env <NAME>",
      "pass this variable on to each command; its value is never written; repeatable",
      collect,
      [],
    )
    .option(
      "--header <NAME>",
      "send this header to each URL, with the value of AGENTPRINT_HEADER_<NAME>; repeatable",
      collect,
      [],
    );
  return addSessionOptions(command);
}

/** Adds the option that names the lock. */
export function addLockOption(command: Command): Command {
  return command.option("-l, --lock <file>", "the lock file", DEFAULT_LOCK);
}

/** Adds what a visit says to each server, and how much of an answer and how long it waits for. */
export function addSessionOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--capabilities <list>",
        "client capabilities to declare: roots,sampling,elicitation or a JSON object",
      ).argParser(clientCapabilities),
    )
    .addOption(
      new Option("--as <client>", "the client to speak as; bare is agentprint itself, without capabilities").choices(
        CLIENTS,
      ),
    )
    .addOption(
      new Option(
        "--views <views>",
        "speak as the client alone, or as a bare client, too (all, the default of pin)",
      ).choices(["client", "all"]),
    )
    .addOption(
      new Option("--protocol <version>", "a protocol version such as 2026-07-28, or auto for both eras").default(
        "auto",
      ),
    )
    .option("--contents", "also pin the contents of text resources and of prompts without required arguments", false)
    .addOption(
      new Option(
        "--probe-timeout <seconds>",
        "longest time for the first answer of an era (default: twice the time of the other era)",
      ).argParser(seconds),
    )
    .addOption(
      new Option("--settle <ms>", "how long to listen for changes after the last answer")
        .default(DEFAULT_SETTLE)
        .argParser(wholeNumber),
    )
    .addOption(timeLimit("--connect-timeout", "start and initialize", DEFAULT_LIMITS.connectTimeout))
    .addOption(timeLimit("--request-timeout", "one request", DEFAULT_LIMITS.requestTimeout))
    .addOption(timeLimit("--total-timeout", "one server, from start to end", DEFAULT_LIMITS.totalTimeout))
    .addOption(countLimit("--max-bytes", "bytes that one server may send", DEFAULT_LIMITS.maxBytes))
    .addOption(countLimit("--max-items", "tools, prompts or resources of one server", DEFAULT_LIMITS.maxItems))
    .addOption(countLimit("--max-pages", "pages of one list", DEFAULT_LIMITS.maxPages));
}

function timeLimit(flag: string, limits: string, milliseconds: number): Option {
  return new Option(`${flag} <seconds>`, `longest time for ${limits}`)
    .default(milliseconds, String(milliseconds / 1000))
    .argParser(seconds);
}

function countLimit(flag: string, limits: string, value: number): Option {
  return new Option(`${flag} <n>`, `most ${limits}`).default(value).argParser(positiveInteger);
}
