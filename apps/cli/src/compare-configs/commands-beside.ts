import { createHash } from "node:crypto";
import { resolve, sep } from "node:path";
import { canonicalize, type JsonValue, toPointer } from "@agentprint/canonical-json";
import {
  type CommandBeside,
  commandsOfEntry,
  commandsOfFile,
  lineAt,
  nodeAt,
  type ParsedConfig,
  plainValue,
  settingsOf,
} from "@agentprint/client-configs";
import type { Finding } from "@agentprint/findings";
import { coverageWithFiles, isChoosingCode, type Launch, type LockedFile } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import type { FoundConfig } from "../clients/find-servers.ts";
import { readClientConfig } from "../clients/read-client-config.ts";
import { readLaunchedFiles } from "../launch/digest-files.ts";
import { launchInWords } from "../lock/entry-summary.ts";
import type { Context } from "../run/context.ts";
import { isExplained } from "../run/errors.ts";
import type { ConfiguredServer } from "./configured-server.ts";

const RULE = "mcp/config-runs-command";

/** A command that a client runs in addition to its servers, with the file that contains it. */
export interface Beside extends CommandBeside {
  readonly file: string;
  readonly config: ParsedConfig;
  /** The path inside the entry or the file. */
  readonly member: CommandBeside["path"];
  /** The name of the entry in the lock. */
  readonly server?: string;
}

/** Returns the commands in a server's entry; the name is the server's name in the lock. */
export function commandsOfServer({ place: { config, entry }, file }: ConfiguredServer, name: string): Beside[] {
  return commandsOfEntry(config, entry).map((command) => {
    return { ...command, file, config, member: command.path.slice(entry.length), server: name };
  });
}

/** Returns the commands of a configuration that belong to no entry. */
export function commandsOfConfig({ client, config, file }: FoundConfig): Beside[] {
  return commandsOfFile(config, client).map((command) => ({ ...command, file, config, member: command.path }));
}

/**
 * Returns findings about settings that make clients run code that no lock covers; a policy can let a setting pass by
 * its digest, which is part of the place.
 *
 * @param project The context in the folder of the project
 * @param configs The configurations, whose shared settings are also read
 */
export async function commandFindings(
  project: Context,
  commands: readonly Beside[],
  configs: readonly FoundConfig[],
): Promise<Finding[]> {
  const found = await Promise.all(commands.map((command) => commandFinding(project, command)));
  const settings = await Promise.all(configs.map((config) => settingsFindings(project, config)));
  return [...found, ...settings.flat()];
}

async function commandFinding(project: Context, command: Beside): Promise<Finding> {
  const { value, member, file, config, start, server } = command;
  const isLine = typeof value === "string" && member.at(-1) !== "debugpyPath";
  const launch: Launch | undefined = isLine ? shellLaunch(value) : undefined;
  const line = lineAt(config, start);
  const place = {
    subject: `${server ?? member.join(".")} in ${file}`,
    ...(server !== undefined && { server }),
    location: { file, line },
  };
  const message = `${file}:${line} makes its client run a command that no lock holds: ${member.join(".")}`;
  try {
    const files = launch === undefined ? [] : await filesOf(project, launch);
    const pointer = toPointer([
      ...member,
      digestOf({ value: value as JsonValue, files: files as unknown as JsonValue }),
    ]);
    return {
      rule: RULE,
      level: "error",
      place: { ...place, pointer },
      after: launch === undefined ? (value as JsonValue) : launchInWords({ launch: redactLaunch(launch) }),
      message,
      note: `${coverageOf(launch, files)}; an ignore with this path accepts the current value`,
    };
  } catch (error) {
    if (!isExplained(error)) throw error;
    return { rule: RULE, level: "error", place, message: `${message}; ${error.message}`, couldNotTell: true };
  }
}

/** Returns the launch of a command line that a client gives to the system's shell. */
function shellLaunch(line: string): Launch & { readonly type: "stdio" } {
  return { type: "stdio", command: "sh", args: ["-c", line], env: [] };
}

/**
 * Returns the digests of the files that a line names by a path; programs that are looked up by name differ between
 * machines.
 */
async function filesOf({ cwd }: Context, launch: Launch): Promise<LockedFile[]> {
  if (launch.type === "http") return [];
  const files = await readLaunchedFiles({ ...launch, env: {}, cwd: resolve(cwd) });
  const named = files.filter(({ file }) => file.kind !== "program" || /[\\/]/.test(file.path));
  return named.map(({ pointer, digest }) => ({ pointer, digest }));
}

function coverageOf(launch: Launch | undefined, files: readonly LockedFile[]): string {
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const covered =
    launch &&
    coverageWithFiles(
      launch,
      files.map(({ pointer }) => pointer),
    );
  if (covered?.state === "not covered")
    return `the path covers its text and ${count}, but not what ${covered.word} does`;
  return `the path covers its text and ${count}`;
}

function digestOf(value: JsonValue): string {
  return createHash("sha256").update(canonicalize(value)).digest("hex");
}

/** Returns findings about the variables in a client's shared settings with which it starts every server. */
async function settingsFindings(project: Context, { client, path, file }: FoundConfig): Promise<Finding[]> {
  const surroundings = { cwd: project.cwd, env: project.env, platform: process.platform };
  const settings = settingsOf(surroundings, path, client);
  const shared = new Set(settings.flatMap((each) => (each.isPersonal ? [] : [each.path])));
  const folder = resolve(project.cwd);
  const isOwn = (each: string): boolean =>
    resolve(folder, each) === folder || resolve(folder, each).startsWith(folder + sep);
  const found = [...shared].map(async (path): Promise<Finding[]> => {
    const config = await readSettings(project, path);
    const node = config && nodeAt(config, ["env"]);
    if (config === undefined || node?.kind !== "table") return [];
    return node.members.flatMap(({ name, start, value }): Finding[] => {
      const text = String(plainValue(config, value));
      if (!isChoosingCode(name, text, { isOwn, isFetched: true })) return [];
      const shown = path.startsWith(folder + sep) ? path.slice(folder.length + 1) : path;
      const line = lineAt(config, start);
      return [
        {
          rule: RULE,
          level: "error",
          place: {
            subject: `env.${name} in ${shown}`,
            pointer: toPointer(["env", name, digestOf(text)]),
            location: { file: shown, line },
          },
          message: `${shown}:${line} starts every server of ${file} with ${name}, which chooses code`,
          note: "the path covers its value; an ignore with this path accepts the current value",
        },
      ];
    });
  });
  return (await Promise.all(found)).flat();
}

/** Reads settings; unreadable ones are already reported as a problem of the configuration. */
async function readSettings(project: Context, file: string): Promise<ParsedConfig | undefined> {
  return readClientConfig(project, file, "regular").catch((error: unknown) => {
    if (isExplained(error)) return undefined;
    throw error;
  });
}
