import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runBeside } from "@agentprint/testing/programs";
import { parse } from "yaml";
import type { RunResult } from "./run-cli.ts";
import { AGENTPRINT_LINE } from "./spawn-cli.ts";
import type { Workspace } from "./workspace.ts";

export const REPOSITORY: string = fileURLToPath(new URL("../../../../", import.meta.url));

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly "working-directory"?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const ACTION: Action = parse(readFileSync(join(REPOSITORY, "action.yml"), "utf8"));

/** The context in which GitHub starts the action. */
export interface Surroundings {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly eventName?: string;
  readonly event?: object;
  /** Whether `npm` is the real one, with the registry named by the environment. */
  readonly npm?: "real";
  readonly env?: Readonly<Record<string, string>>;
}

export interface ActionResult extends RunResult {
  /** The outputs that the step wrote to `GITHUB_OUTPUT`. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The argument passed to `npm install`. */
  readonly installed: string;
  /** The arguments of agentprint. */
  readonly args: readonly string[];
  readonly summary: string;
  /** The second step's exit code. */
  readonly published: number | null;
}

const RUNNER_TEMP = "$" + "{{ runner.temp }}";

/** Replaces npm: a program that logs its arguments and runs agentprint from source. */
const NPM = `#!/bin/sh
set -eu
for last in "$@"; do :; done
folder=$(dirname "$(dirname "$0")")
printf %s "$last" >"$folder/installed"
case $last in *@0.0.0-none)
  printf 'no such version\\r::add-mask::x\\n\\302\\240::add-mask::y\\nx ##[add-mask]z\\n' >&2
  exit 1
  ;;
esac
mkdir -p node_modules/.bin
{
  printf '%s\\n' '#!/bin/sh'
  printf '%s\\n' "args='$folder/args'" 'for each in "$@"; do printf "%s\\0" "$each"; done >"$args"'
  printf '%s\\n' 'exec ${AGENTPRINT_LINE} "$@"'
} >node_modules/.bin/agentprint
chmod +x node_modules/.bin/agentprint
`;

/** Returns the folder next to the checkout for the runner's own files. */
export function runnerFolder({ folder }: Workspace): string {
  return `${folder}.runner`;
}

/**
 * Runs those steps of `action.yml` that are shell scripts, as the runner does; the second runs only if the first has
 * outputs.
 */
export async function runAction(workspace: Workspace, surroundings: Surroundings = {}): Promise<ActionResult> {
  const { inputs: given = {}, eventName = "push", event = {} } = surroundings;
  const folder = runnerFolder(workspace);
  mkdirSync(join(folder, "bin"), { recursive: true });
  mkdirSync(join(folder, "temp"), { recursive: true });
  if (surroundings.npm !== "real") writeFileSync(join(folder, "bin/npm"), NPM, { mode: 0o755 });
  writeFileSync(join(folder, "event.json"), JSON.stringify(event));
  for (const name of ["output", "summary", "args", "installed"]) writeFileSync(join(folder, name), "");
  const runner = {
    PATH: `${join(folder, "bin")}:${dirname(process.execPath)}:/usr/bin:/bin`,
    RUNNER_TEMP: join(folder, "temp"),
    GITHUB_WORKSPACE: workspace.folder,
    GITHUB_ACTION_PATH: REPOSITORY,
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    GITHUB_REPOSITORY: "owner/repo",
    ...surroundings.env,
  };
  const defaults = Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default]);
  const inputs = { ...Object.fromEntries(defaults), ...given };
  const github = { event, token: "the-token", repository: "owner/repo" };
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const [check, publish] = ACTION.runs.steps.filter(({ run }) => run !== undefined) as [Step, Step];
  const context = { inputs, github };
  const result = await runStep(check, { ...runner, ...valuesOf(check.env, context) }, workspace.folder);
  const outputs = Object.fromEntries(
    read("output")
      .split("\n")
      .flatMap((line) => (line.includes("=") ? [line.split(/=(.*)/s).slice(0, 2)] : [])),
  );
  const env = { ...runner, ...valuesOf(publish.env, { ...context, steps: { check: { outputs } } }) };
  const published = await runStep(publish, env, workspace.folder);
  return {
    code: result.code,
    stdout: result.stdout + published.stdout,
    stderr: result.stderr + published.stderr,
    outputs,
    installed: existsSync(join(folder, "installed")) ? read("installed") : "",
    args: read("args").split("\0").slice(0, -1),
    summary: read("summary"),
    published: published.code,
  };
}

/** Evaluates expressions of the form `${{ a.b || c.d }}`. */
function valuesOf(env: Step["env"], context: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env ?? {}).map(([name, text]) => {
      const expression = /^\$\{\{ (.*) \}\}$/.exec(text)?.[1];
      if (expression === undefined) throw new Error(`${name}: no expression`);
      const values = expression.split(" || ").map((path) => valueAt(context, path.split(".")));
      return [name, String(values.find(Boolean) ?? "")];
    }),
  );
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  return typeof value === "object" && value !== null ? valueAt(Reflect.get(value, name), rest) : undefined;
}

function runStep(step: Step, env: NodeJS.ProcessEnv, workspace: string): Promise<RunResult> {
  const { run = "", shell, "working-directory": folder } = step;
  if (shell !== "bash") throw new Error(`unknown shell: ${shell}`);
  if (folder !== undefined && folder !== RUNNER_TEMP) throw new Error(`unknown folder: ${folder}`);
  const cwd = folder === undefined ? workspace : env["RUNNER_TEMP"];
  return runBeside("/bin/bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run], { cwd, env });
}
