import { grammar, readOptions } from "../options.ts";
import type { ReadProgram } from "../reader.ts";
import { npmSpecifier } from "../specifiers.ts";
import { behind } from "../words.ts";
import { interpreter } from "./interpreter.ts";

/** The options of `deno run`: https://docs.deno.com/runtime/reference/cli/run */
const DENO = {
  flags:
    "-A --allow-all -q --quiet --no-lock --no-check --no-config --no-npm --no-remote --cached-only --no-prompt --no-clear-screen --no-code-cache --unstable -P --permission-set",
  values: "--location --seed --cert -L --log-level --ext --minimum-dependency-age --node-conditions --conditions",
  optional:
    "--allow-read --allow-write --allow-net --allow-env --allow-run --allow-sys --allow-ffi --allow-import --allow-scripts --deny-read --deny-write --deny-net --deny-env --deny-run --deny-sys --deny-ffi --deny-import --check --reload --node-modules-dir --vendor --inspect --inspect-brk --inspect-wait --frozen --unsafely-ignore-certificate-errors --strace-ops",
  pattern:
    /^(?:--unstable-[a-z-]+|-[RWNESIr](?:=.*)?|--v8-flags=--(?:max-old-space-size|max-heap-size|stack-size)=\d+)$/,
  gapFlags: "--watch --watch-hmr --lock",
  roles: { file: "--preload --import --require", gap: "-c --config --import-map" },
} as const;
const TABLE = grammar(DENO);
const ENV_FILE = /^--env(?:-file)?(?:=(.*))?$/s;
const runScript = interpreter({
  ...DENO,
  verb: "run",
  isVerbOptional: true,
  scripts: /\.[cm]?[jt]sx?$|^(?:\.{0,2}|[a-z]:)[\\/]/i,
});

/** Reads `deno run`, which runs a file or a version of a package. */
export const deno: ReadProgram = (reader, call) => {
  // An option names a file with variables only after `=`. The option is removed, so that the other options are read as
  // usual.
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
  if (reader.options({ ...call, words: isRun ? words.slice(1) : words }, TABLE) === undefined) return;
  const specifier = npmSpecifier(behind(first, 4));
  if (first.text.startsWith("npm:") && specifier?.version === "exact") {
    reader.packages.push({ runner: "deno", word: behind(first, 4), specifier, options: read.options });
    reader.runBinary({ ...first, text: specifier.package.replace(/^@[^/]+\//, "") }, read.rest.slice(1), {
      ...call.place,
      hasOwnPrograms: true,
    });
  } else {
    reader.miss(first, "deno");
  }
};
