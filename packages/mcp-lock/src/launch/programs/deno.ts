import { grammar, readOptions, valuesOf } from "../options.ts";
import type { ReadProgram } from "../reader.ts";
import { npmSpecifier } from "../specifiers.ts";
import { behind } from "../words.ts";
import { interpreter } from "./interpreter.ts";

/** The options of `deno run`: https://docs.deno.com/runtime/reference/cli/run */
const DENO = {
  flags:
    "-A --allow-all -q --quiet --no-lock --no-check --no-config --no-npm --no-remote --cached-only --no-prompt --no-clear-screen --no-code-cache --unstable --watch-exclude -P --permission-set",
  values: "-c --config --import-map --location --seed --cert -L --log-level --ext",
  optional:
    "--allow-read --allow-write --allow-net --allow-env --allow-run --allow-sys --allow-ffi --allow-import --allow-scripts --deny-read --deny-write --deny-net --deny-env --deny-run --deny-sys --deny-ffi --deny-import --check --reload --node-modules-dir --vendor --inspect --inspect-brk --inspect-wait --frozen --watch --watch-hmr --v8-flags --unsafely-ignore-certificate-errors --minimum-dependency-age --lock --node-conditions --conditions --strace-ops",
  pattern: /^(?:--unstable-[a-z-]+|-[RWNESIr](?:=.*)?)$/,
  roles: { file: "--preload --import --require" },
} as const;
const TABLE = grammar(DENO);
const ENV_FILE = /^--env(?:-file)?(?:=(.*))?$/s;
const runScript = interpreter({
  ...DENO,
  verb: "run",
  isVerbOptional: true,
  scripts: /\.[cm]?[jt]sx?$|^(?:\.{0,2}|[a-z]:)[\\/]/i,
});

/** `deno run`: a file, or a package in a version. */
export const deno: ReadProgram = (reader, call) => {
  // The file with variables has a name only behind `=`; it is taken out so that the options stay as they are.
  const words = call.words.filter((word) => !noteEnvFile(word.text));
  function noteEnvFile(text: string): boolean {
    const found = ENV_FILE.exec(text);
    if (found !== null) reader.envFiles.push({ path: found[1] ?? ".env" });
    return found !== null;
  }
  const isRun = words[0]?.text === "run";
  const read = readOptions(isRun ? words.slice(1) : words, TABLE);
  const [first] = read.rest;
  if (read.unread !== undefined || first === undefined || !/^(?:npm|jsr):/.test(first.text)) {
    runScript(reader, { ...call, words });
    return;
  }
  for (const preload of valuesOf(read, "file")) reader.file(preload, "script", call.place);
  const specifier = npmSpecifier(behind(first, 4));
  if (first.text.startsWith("npm:") && specifier?.version === "exact") {
    reader.packages.push({ runner: "deno", word: behind(first, 4), specifier });
  } else {
    reader.miss(first, "deno");
  }
};
