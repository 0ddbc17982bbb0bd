import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { LaunchedPackage } from "@agentprint/mcp-lock/launch";
import type { Context } from "../context.ts";
import { CliError, reasonOf } from "../errors.ts";

const run = promisify(execFile);

/** In milliseconds. */
const TIME_LIMIT = 60_000;

/**
 * The newest version that a launch could fetch now, from the registry that the user's own npm or uv is set up with.
 *
 * @throws {@link CliError} `usage` for an image or a package that no registry has by name; `unreadable-input` when the program
 * that asks the registry is missing or fails
 */
export async function resolveVersion(context: Context, launched: LaunchedPackage): Promise<string> {
  const { kind, package: name, version, versionText } = launched;
  if (kind === "image" || !/^(@[\w.~-]+\/)?[A-Za-z0-9][\w.~-]*$/.test(name)) {
    throw new CliError("usage", `the version of ${name} cannot be asked for`, {
      fix: "write an exact version by hand",
    });
  }
  if (kind === "npm") {
    const spec = versionText === undefined ? name : `${name}@${versionText}`;
    return newest(await ask(context, "npm", ["view", "--json", "--", spec, "version"]), name);
  }
  const requirement = version === "range" && versionText !== undefined ? `${name}${versionText}` : name;
  const args = ["pip", "compile", "--no-deps", "--no-header", "--no-annotate", "--quiet", "-"];
  const compiled = await ask(context, "uv", args, `${requirement}\n`);
  const [, found] = /^[^=\s]+==([\w.!+-]+)/m.exec(compiled) ?? [];
  return found ?? unknownVersion(name);
}

/** npm prints one version, or for a range the list of all that fit, the newest last. */
function newest(printed: string, name: string): string {
  const versions: unknown = [JSON.parse(printed || "[]")].flat().at(-1);
  return typeof versions === "string" ? versions : unknownVersion(name);
}

function unknownVersion(name: string): never {
  throw new CliError("unreadable-input", `the registry names no version of ${name}`, {
    fix: "write an exact version by hand",
  });
}

async function ask(context: Context, program: string, args: readonly string[], input = ""): Promise<string> {
  const { env, signal } = context;
  try {
    const asked = run(program, args, { cwd: context.pathOf("."), env, timeout: TIME_LIMIT, ...(signal && { signal }) });
    // A program that ends before it has read its input says why by its exit code.
    asked.child.stdin?.on("error", () => undefined).end(input);
    return (await asked).stdout;
  } catch (error) {
    throw new CliError("unreadable-input", `${program} could not say the version: ${reasonOf(error).split("\n")[0]}`, {
      expected: `${program}, and the registry that it asks`,
      fix: "write an exact version by hand",
      cause: error,
    });
  }
}
