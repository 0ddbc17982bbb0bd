import type { LaunchedPackage } from "@agentprint/launch";
import spawn from "cross-spawn";
import type { Context } from "../context.ts";
import { CliError, reasonOf } from "../errors.ts";

/** In milliseconds. */
const TIME_LIMIT = 60_000;
/** The longest output of a program, in UTF-16 code units. */
const MAX_OUTPUT = 1024 * 1024;

/**
 * The newest version that a launch could fetch now, from the registry that the user's own npm or uv is set up with.
 *
 * @throws {@link CliError} `usage` for an image or a package that no registry has by name; `unreadable-input` when the program
 * that asks the registry is missing or fails
 */
export async function resolveVersion(context: Context, launched: LaunchedPackage): Promise<string> {
  const { kind, package: name, version, versionText } = launched;
  if (kind === "image") {
    throw new CliError("usage", `${name} is an image, whose digest npm and uv do not know`, {
      where: launched.runner,
      fix: "write the digest in place of the image; once it is pulled, docker inspect --format '{{index .RepoDigests 0}}' <image> prints it",
    });
  }
  if (!/^(@[\w.~-]+\/)?[A-Za-z0-9][\w.~-]*$/.test(name)) {
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
  try {
    return await outputOf(context, program, args, input);
  } catch (error) {
    throw new CliError("unreadable-input", `${program} could not say the version: ${reasonOf(error).split("\n")[0]}`, {
      expected: `${program}, and the registry that it asks`,
      fix: "write an exact version by hand",
      cause: error,
    });
  }
}

/** Runs a program and returns its standard output. On Windows npm is a script, which only cross-spawn starts. */
function outputOf(context: Context, program: string, args: readonly string[], input: string): Promise<string> {
  const { env, signal } = context;
  const options = { cwd: context.pathOf("."), env, timeout: TIME_LIMIT, ...(signal && { signal }) };
  const child = spawn(program, args, { ...options, stdio: "pipe" });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      if (said[name].length < MAX_OUTPUT) said[name] += text;
    });
  }
  // A program that ends before it has read its input says why by its exit code.
  child.stdin?.on("error", () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => {
      if (code === 0) resolve(said.stdout);
      else reject(new Error(code === null ? "it was ended" : said.stderr.trim() || `exit code ${code}`));
    });
  });
}
