import { stat } from "node:fs/promises";
import { parseJson } from "@agentprint/canonical-json";
import { isJsonObject } from "@agentprint/canonical-json/json-value";
import type { Launch } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";
import type { LockedServer, LockFile } from "@agentprint/mcp-lock";
import { addEnvAndHeaders } from "../clients/targets-from-arguments.ts";
import { readInput } from "../files/read-input.ts";
import { nameOfLaunch } from "../launch/server-name.ts";
import { requireHttpUrl, targetFromEnvironment } from "../launch/server-target.ts";
import { lockVisited } from "../lock/lock-visited.ts";
import { MAX_LOCK_BYTES, parseLockText } from "../lock/read-lock.ts";
import type { VisitOptions } from "../options/visit-options.ts";
import type { Context } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";
import { planPin } from "../visit/visit-plan.ts";

/** One side of a comparison: a complete lock, or one server. */
export type Side =
  | { readonly lock: LockFile }
  /** A visited server, and its answers. */
  | { readonly entry: LockedServer; readonly answers: VisitAnswers };

/**
 * Reads a side of a comparison: `npm:package@version`, `pypi:package@version`, an address, a file with a lock or with a
 * saved visit, or a command as a single string. A server is visited.
 *
 * @throws {@link CliError} `usage` when the text names nothing; `unreadable-input`, `too-large` when a file cannot be
 * read; the errors of a visit
 */
export async function readSide(context: Context, text: string, options: VisitOptions): Promise<Side> {
  if (await isFile(context, text)) return sideInFile(context, text);
  const launch = launchOf(text);
  const name = nameOfLaunch(launch);
  const names = {
    env: launch.type === "stdio" ? options.env : [],
    header: launch.type === "http" ? options.header : [],
  };
  const [target = targetFromEnvironment(context, name, launch)] = addEnvAndHeaders(
    context,
    [targetFromEnvironment(context, name, launch)],
    names,
  );
  const { visitTarget } = await import("../visit/visit-servers.ts");
  const answers = await visitTarget(context, target, planPin(options), options);
  return { entry: lockVisited(context, name, answers), answers };
}

function launchOf(text: string): Launch {
  if (/^https?:/i.test(text)) return { type: "http", url: requireHttpUrl(text, "the address"), headers: [] };
  const [, index, specifier] = /^(npm|pypi):(\S+)$/.exec(text) ?? [];
  if (index === "npm") return { type: "stdio", command: "npx", args: ["-y", specifier ?? ""], env: [] };
  if (index === "pypi") return { type: "stdio", command: "uvx", args: [specifier ?? ""], env: [] };
  const [command, ...args] = wordsOf(text);
  if (command !== undefined) return { type: "stdio", command, args, env: [] };
  throw new CliError("usage", "one side of the comparison is empty", {
    expected: "npm:package@version, pypi:package@version, an address, a file, or a command in quotes",
  });
}

/** Splits the text of a command into words. Quotes keep words together. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

/** Returns whether there is a file at a path. */
export function isFile({ pathOf }: Context, path: string): Promise<boolean> {
  return stat(pathOf(path)).then(
    (found) => found.isFile(),
    () => false,
  );
}

/**
 * Reads a side of a comparison from a file with a lock or a saved visit.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read
 */
export async function sideInFile(context: Context, file: string): Promise<Side> {
  const text = await readInput(context, file, MAX_LOCK_BYTES);
  let value: ReturnType<typeof parseJson>;
  try {
    value = parseJson(text, { maxBytes: MAX_LOCK_BYTES });
  } catch (error) {
    throw new CliError("unreadable-input", `${file} is not JSON: ${reasonOf(error)}`, { where: file, cause: error });
  }
  if (isJsonObject(value) && "lockVersion" in value) return { lock: parseLockText(text, file) };
  const { savedVisit } = await import("./saved-visit.ts");
  const answers = savedVisit(value, file);
  return { entry: lockVisited(context, nameOfLaunch(answers.launch), answers), answers };
}
