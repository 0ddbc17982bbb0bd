import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { CLIENT_PROFILES, DEFAULT_LIMITS, DEFAULT_SETTLE, type Limits } from "@agentprint/mcp-visit";
import { DEFAULT_CONCURRENCY, type VisitSettings } from "@agentprint/policy/settings";
import { type Command, Option } from "commander";
import { DEFAULT_LOCK } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import { clientCapabilities, collect, headerNames, variableNames } from "../terminal/option-parsers.ts";

/** The clients that a visit can imitate. */
const CLIENTS: readonly string[] = [...CLIENT_PROFILES.map(({ id }) => id), "bare"];

/** The options by which a command line names the variables and headers to pass on. */
export interface ValueOptions {
  readonly env: readonly string[];
  readonly header: readonly string[];
}

/** The options with which a command line configures how servers of a lock are reached. */
export interface LaunchOptions extends ValueOptions {
  readonly lock: string;
  readonly mcpConfig: readonly string[];
  readonly url?: string;
}

/** The options that set which client visits an unpinned server. */
export interface SpeakerOptions {
  readonly capabilities?: JsonObject;
  /** The client that the visit imitates. */
  readonly as?: string;
}

/**
 * How every command visits servers, as its command line and the settings in its configuration say. Times are in
 * milliseconds.
 */
export interface VisitOptions extends ValueOptions, SpeakerOptions, Limits {
  /** `auto`: both eras; a version: the era that speaks it. */
  readonly protocol: string;
  readonly views?: "client" | "all";
  readonly contents: boolean;
  /** Default: twice as long as the other era took to give its first answer, at least 1 s. */
  readonly probeTimeout?: number;
  /** The time to listen to a server after its last answer. */
  readonly settle: number;
  /** The number of servers that are visited at the same time. */
  readonly concurrency: number;
  /** The members whose values may differ at each start of a pinned server. */
  readonly vary: readonly string[];
  /** The URIs of resources that are not pinned, by server name. */
  readonly leaveOut?: VisitSettings["leaveOut"];
}

/** Returns the options of a command line, with the visit settings of a configuration and the defaults. */
export function withVisits<Given>(
  { visits: defaults }: Pick<Context, "visits">,
  given: Given & { readonly vary?: readonly string[] },
  { vary = [], ...visits }: VisitSettings,
): Given & Omit<VisitOptions, keyof (ValueOptions & SpeakerOptions)> {
  return {
    protocol: "auto",
    contents: false,
    settle: DEFAULT_SETTLE,
    concurrency: DEFAULT_CONCURRENCY,
    ...DEFAULT_LIMITS,
    ...defaults,
    ...visits,
    ...given,
    vary: [...vary, ...(given.vary ?? [])],
  };
}

/** Adds the option that leaves out parts of a server's answers that differ at each reading. */
export function addUnstableOption(command: Command): Command {
  return command.option(
    "--allow-unstable <pointer>",
    "leave out the member at this pointer, which differs at each reading: /tools/_meta/requestId; repeatable",
    collect,
    [],
  );
}

/** Adds the option that lets a member vary. */
export function addVaryOption(command: Command): Command {
  return command.option(
    "--vary <member>",
    "let text or another member of an item vary, and keep its first value: files/tool/search#/description; repeatable",
    collect,
    [],
  );
}

/** Adds the options of every command that visits servers of a lock: the lock, and the options for reaching a server. */
export function addLaunchOptions(command: Command): Command {
  addLockOption(command)
    .option(
      "--mcp-config <file>",
      "read launches from a client's configuration: Claude, Cursor, VS Code, Zed, Codex and others; repeatable",
      collect,
      [],
    )
    .option("--url <url>", "a server over streamable HTTP, instead of a command");
  return addValueOptions(command);
}

/** Adds the options that name the variables and headers to pass on. */
export function addValueOptions(command: Command): Command {
  return command
    .option(
      "--env <NAME>",
      "pass this variable on to each command; its value is never written; repeatable",
      variableNames,
      [],
    )
    .option(
      "--header <NAME>",
      "send this header to each URL, with the value of AGENTPRINT_HEADER_<NAME>; repeatable",
      headerNames,
      [],
    );
}

/** Adds the help line that says where the visit settings are. */
export function addSettingsHelp(command: Command): Command {
  return command.addHelpText(
    "after",
    '\nTimes, sizes, eras, views and contents of visits are settings: "visits" in agentprint.config.json.',
  );
}

/** Adds the option that names the lock. */
export function addLockOption(command: Command): Command {
  return command.option("-l, --lock <file>", "the lock file", DEFAULT_LOCK);
}

/** Adds the options that choose the client for a visit of an unpinned server. */
export function addSpeakerOptions(command: Command): Command {
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
    );
}
