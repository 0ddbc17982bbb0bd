import { type Grammar, type GrammarText, grammar, type ReadOptions, valuesOf } from "../options.ts";
import type { Call, FoundPackage, Place, Reader, ReadProgram } from "../reader.ts";
import { npmSpecifier, pythonSpecifier, type Specifier } from "../specifiers.ts";
import { behind, isPath, programOf, type Word } from "../words.ts";
import { NODE_PROGRAMS } from "./node.ts";
import { PYTHON_SERVERS } from "./scripts.ts";
import { runScript } from "./shells.ts";
import { wrapper } from "./wrappers.ts";

/** A program that fetches a package and runs it. */
interface Runner {
  readonly table: Grammar;
  readonly specify: (word: Word) => Specifier | undefined;
  /** Variables that change which package is fetched. */
  readonly variables: RegExp;
  /** Whether options may also follow the package, unless `--` precedes it. */
  readonly takesLateOptions?: boolean;
}

const HTTP = /^https?:\/\//i;
/** Matches a version of Python, which is fetched or from the system; any other value is a program. */
const PYTHON_VERSION =
  /^(?:(?:cpython|pypy|graalpy|python)[@-]?)?\d[\d.]*t?$|^[<>=~!]=?[\d.,<>=!~*\s]+$|^(?:cpython|pypy|python)$/;
/** Matches package names separated by commas; a path or address is not a name. */
const PYTHON_NAME = /^[\w.-]+(?:\[[\w.,\s-]*\])?\s*(?:@?[=<>~!]*\s*[\w.*+!,<>=~\s[\]-]+)?$/;
/** Variables that make a program fetch another package, or fetch the package from another place. */
const NPM_VARIABLES =
  /^npm_config_(?:userconfig|globalconfig|prefix|cache|script_shell|shell|node_options|node_arg|call|package|workspace)$/i;
const UV_VARIABLES =
  /^UV_(?:CONFIG_FILE|FIND_LINKS|PYTHON|CACHE_DIR|OVERRIDE|BUILD_CONSTRAINT|CONSTRAINT|PROJECT|WORKING_DIR(?:ECTORY)?|TOOL_DIR|ENV_FILE)$/;
const PIPX_VARIABLES =
  /^(?:PIP_(?!DISABLE_PIP_VERSION_CHECK$|NO_INPUT$|QUIET$)\w+|PIPX_(?:HOME|DEFAULT_PYTHON|SHARED_LIBS|DEFAULT_BACKEND))$/;

/** https://docs.npmjs.com/cli/commands/npx, https://pnpm.io/cli/dlx, https://yarnpkg.com/cli/dlx, https://bun.sh/docs/cli/bunx */
const NPM: GrammarText = {
  flags:
    "-y --yes -q --quiet --silent -s --verbose -d --offline --prefer-offline --prefer-online --ignore-existing --ignore-scripts --include-workspace-root --force -f -g --global --legacy-peer-deps --foreground-scripts --no-audit --no-fund --no-update-notifier --bun --no-progress",
  values: "--registry --loglevel --allow-build --reporter",
  gapFlags: "--no --no-install --workspaces",
  roles: {
    package: "-p --package",
    script: "-c --call",
    gap: "-n --node-arg --node-options --prefix -w --workspace --script-shell --shell -C --dir --cwd -F --filter --userconfig --globalconfig --npmrc --cache",
  },
  understood: { "--registry": HTTP },
};
const NPM_TABLE = grammar(NPM);
const npm: Runner = { table: NPM_TABLE, specify: npmSpecifier, variables: NPM_VARIABLES };
const npmExec: Runner = { ...npm, takesLateOptions: true };

/** https://docs.astral.sh/uv/reference/cli */
const UV: GrammarText = {
  flags:
    "--isolated -q --quiet -v --verbose --offline -n --no-cache --refresh --native-tls --system-certs -U --upgrade --reinstall --no-config --no-progress --managed-python --no-managed-python --no-python-downloads --allow-python-downloads --no-env-file --no-index --no-sources --compile-bytecode --no-build --no-binary --no-build-isolation --lfs --show-resolution --all-extras --no-dev --dev --only-dev --all-groups --no-default-groups --locked --frozen --exact --no-sync --active --no-project --no-editable --all-packages --no-extra",
  values:
    "-w --with -p --python --index --default-index -i --index-url --extra-index-url --color --python-platform --torch-backend --resolution --prerelease --exclude-newer --exclude-newer-package --link-mode --index-strategy --keyring-provider --allow-insecure-host --refresh-package -P --upgrade-package --reinstall-package --no-build-package --no-binary-package -C --config-setting --no-build-isolation-package --no-sources-package --fork-strategy --config-settings-package --project --extra --group --only-group --no-group --package",
  roles: {
    package: "--from",
    envFile: "--env-file",
    folder: "--directory",
    gap: "--with-editable --with-requirements -f --find-links -b --build-constraints --overrides --cache-dir --config-file -c --constraints",
  },
  understood: {
    "-w --with": PYTHON_NAME,
    "-p --python": PYTHON_VERSION,
    "--index --default-index -i --index-url --extra-index-url": /^(?:[\w.-]+=)?https?:\/\//i,
  },
};
const UVX: Runner = { table: grammar(UV), specify: pythonSpecifier, variables: UV_VARIABLES };
const UV_TABLE = grammar(UV);
/** `-s` treats any file as a script; the value of `-m` is a module that Python finds. */
const UV_RUN = grammar({
  ...UV,
  flags: `${UV.flags} -s --script --gui-script`,
  roles: { ...UV.roles, stop: "-m --module" },
});

/** https://pipx.pypa.io/stable/docs */
const PIPX: Runner = {
  table: grammar({
    flags: "--no-cache --fetch-missing-python --verbose -v --quiet -q --system-site-packages",
    values: "--python -i --index-url --backend --suffix --with",
    gapFlags: "--path --pypackages",
    roles: { package: "--spec", gap: "--pip-args" },
    understood: { "--python": PYTHON_VERSION, "-i --index-url": HTTP, "--with": PYTHON_NAME },
  }),
  specify: pythonSpecifier,
  variables: PIPX_VARIABLES,
};

/** Reads the options, notes the packages, and reads the package's program that runs. */
const runPackage = (reader: Reader, call: Call, runner: Runner) => {
  const read = reader.options(call, runner.table);
  if (read === undefined) return;
  if (read.options.some(({ name }) => name === "--no" || name === "--no-install")) return;
  const given = valuesOf(read, "package");
  const [script, another] = valuesOf(read, "script");
  if (another !== undefined) reader.miss(another);
  reader.missVariable(call.command, runner.variables);
  const [first, ...rest] = read.rest;
  const wanted = given.length > 0 ? given : script === undefined && first ? [first] : [];
  if (wanted.length === 0) return reader.miss(script ?? call.command, programOf(call.command));
  const isCommand = given.length === 0 && script === undefined;
  for (const word of wanted) notePackage(reader, word, call, runner, { ...read, isCommand });
  const beside = withValues(read);
  for (const word of beside) notePackage(reader, word, call, runner, read);
  const place: Place = { ...read.place, hasOwnPrograms: true };
  if (script !== undefined) return runScript(reader, script, place);
  const late =
    runner.takesLateOptions && !read.isEnded ? read.rest.slice(1).find(({ text }) => text.startsWith("-")) : undefined;
  if (late !== undefined) return reader.miss(late);
  const program = given.length > 0 && first ? { program: first } : {};
  reader.runner ??= { ...call, ...read, wanted, beside, ...program, words: rest };
  if (first !== undefined) runBinary(reader, first, rest, { isOfPackage: given.length === 0, place, runner });
};

function notePackage(
  reader: Reader,
  word: Word,
  { command, place }: Call,
  { specify }: Runner,
  { options, isCommand = false }: Pick<FoundPackage, "options" | "isCommand">,
): void {
  const specifier = specify(word);
  if (specifier !== undefined)
    reader.packages.push({ runner: programOf(command), word, specifier, options, isCommand });
  // A path may lead to a folder that contains a package.
  if (specifier === undefined && isPath(word)) reader.file(word, "script", place);
  if (specifier === undefined) reader.miss(word, isPath(word) ? undefined : programOf(command));
}

/** Reads a package's program and, if the program is known, the words after it as the program does. */
function runBinary(
  reader: Reader,
  word: Word,
  words: readonly Word[],
  { isOfPackage, place, runner }: { readonly isOfPackage: boolean; readonly place: Place; readonly runner: Runner },
): void {
  const name = isOfPackage ? binaryOf(word.text) : word.text;
  // The binary `mcp` in `@playwright/mcp` is not the program in Python's package.
  if (runner.specify === npmSpecifier && Object.hasOwn(PYTHON_SERVERS, name)) reader.lookForCode(words);
  else reader.runBinary({ ...word, text: name }, words, place);
}

/** Matches one package in a list separated by commas; a comma can also separate version bounds or extras. */
const ONE_OF_SEVERAL = /(?:\[[^\]]*\]|[^,[]|,(?!\s*[A-Za-z]))+/g;

/** Returns the packages that are installed together with the program. */
function withValues({ options }: ReadOptions): Word[] {
  return options.flatMap(({ name, value, role }) => {
    if (!(name === "-w" || name === "--with") || value === undefined || role !== undefined) return [];
    return [...value.text.matchAll(ONE_OF_SEVERAL)].map(({ 0: text, index }) => ({
      ...behind(value, index),
      text: text.trim(),
    }));
  });
}

/** Returns `tsx` for `tsx@4.1.0`, `server` for `@scope/server@1.0.0`, `fastmcp` for `fastmcp[cli]==2.0`. */
function binaryOf(specifier: string): string {
  const [, name = ""] = /^(?:@[^/]+\/)?([\w.-]*)/.exec(specifier) ?? [];
  return name === "dotenv-cli" ? "dotenv" : specifier.startsWith("@smithery/cli") ? "smithery" : name;
}

const npx: ReadProgram = (reader, call) => runPackage(reader, call, npm);
const uvx: ReadProgram = (reader, call) => runPackage(reader, call, UVX);

/** Reads the options before a verb, and passes the words after it to the verb's reader. */
function verbs(table: Grammar, readers: Readonly<Record<string, ReadProgram>>): ReadProgram {
  return (reader, call) => {
    const read = reader.options(call, table);
    if (read === undefined) return;
    const [verb, ...words] = read.rest;
    const next = verb && Object.hasOwn(readers, verb.text) ? readers[verb.text] : undefined;
    if (next === undefined) reader.miss(verb ?? call.command, programOf(call.command));
    else next(reader, { ...call, words, place: read.place });
  };
}

/** Notes a package.json script as unknown, because the script names its own command. */
const localScript: ReadProgram = (reader, { command }) => reader.miss(command);
const npmScripts = { run: localScript, "run-script": localScript, start: localScript, test: localScript };
const execute: ReadProgram = (reader, call) => runPackage(reader, call, npmExec);

/** Reads `uv run`, which runs a script, judging by its extension, or one of the project's programs. */
const uvRun: ReadProgram = (reader, call) => {
  const read = reader.options(call, UV_RUN);
  if (read === undefined) return;
  const stop = read.options.find(({ role }) => role === "stop");
  const [first, ...rest] = read.rest;
  if (stop !== undefined || first === undefined) return reader.miss(stop?.word ?? call.command);
  for (const word of withValues(read)) notePackage(reader, word, call, UVX, read);
  reader.missVariable(call.command, UV_VARIABLES);
  const isScript =
    read.options.some(({ name }) => /^(?:-s|--script|--gui-script)$/.test(name)) || /\.pyw?$/i.test(first.text);
  if (/^https?:/i.test(first.text)) reader.miss(first);
  else if (isScript) {
    reader.file(first, "script", read.place);
    reader.passOn(rest);
  } else reader.run([first, ...rest], { ...read.place, hasOwnPrograms: true }, call.command);
};

const pipxRun: ReadProgram = (reader, call) => {
  const read = reader.options(call, PIPX.table);
  const [first] = read?.rest ?? [];
  const isScript =
    first && valuesOf(read ?? { options: [] }, "package").length === 0 && (isPath(first) || /\.py$/i.test(first.text));
  if (read === undefined) return;
  if (isScript) {
    for (const word of withValues(read)) notePackage(reader, word, call, PIPX, read);
    if (/^https?:/i.test(first.text)) return reader.miss(first);
    reader.file(first, "script", read.place);
    reader.passOn(read.rest.slice(1));
  } else runPackage(reader, call, PIPX);
};

/** Programs that fetch packages, including their verbs that run local code. */
export const RUNNER_PROGRAMS: Readonly<Record<string, ReadProgram>> = {
  npx,
  pnpx: npx,
  bunx: npx,
  npm: verbs(NPM_TABLE, { exec: execute, x: execute, ...npmScripts }),
  pnpm: verbs(NPM_TABLE, { dlx: npx, exec: wrapper({ hasOwnPrograms: true }), ...npmScripts }),
  yarn: (reader, call) => {
    const [first] = call.words;
    const isRemote = first !== undefined && /^(?:dlx|create|npm|set|-)/.test(first.text);
    if (isRemote) verbs(NPM_TABLE, { dlx: npx })(reader, call);
    else reader.miss(first ?? call.command);
  },
  bun: (reader, call) => {
    const [first, ...words] = call.words;
    const isRemote = first !== undefined && /^(?:create|add|install|pm)$/.test(first.text);
    if (first?.text === "x") npx(reader, { ...call, words });
    else if (isRemote) reader.miss(first, "bun");
    else NODE_PROGRAMS["bun"]?.(reader, call);
  },
  uvx,
  uv: verbs(UV_TABLE, { run: uvRun, tool: verbs(grammar({}), { run: uvx }) }),
  pipx: verbs(PIPX.table, { run: pipxRun }),
};
