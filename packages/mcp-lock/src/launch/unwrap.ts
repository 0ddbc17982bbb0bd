import { optionTable, readOptions, valuesOf } from "./options.ts";
import { isRunner } from "./runners.ts";
import { programOf, type Word, wordsOfScript } from "./words.ts";

/** Programs that run the command behind them: `env`, and those whose options stand here. */
const WRAPPERS = new Map([
  ["env", optionTable("-i --ignore-environment -0 --null -v --debug", "-u --unset -C --chdir")],
  ["exec", optionTable("-c -l", "-a")],
  ["command", optionTable("-p", "")],
  ["nohup", optionTable("", "")],
  ["nice", optionTable("", "-n --adjustment")],
  ["time", optionTable("-p", "")],
  ["sudo", optionTable("-E --preserve-env -H --set-home -n --non-interactive", "-u --user -g --group")],
]);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ash", "fish"]);
const SHELL_OPTIONS = optionTable("-l --login -i -e -u -x --norc --noprofile", "-c");
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
/** The script of npm's own runners, which Windows starts with Node.js. */
const NPM_SCRIPT = /[\\/](npx|npm)-cli\.js$/i;

/** Wrappers around wrappers that are taken off. */
const MAX_WRAPPERS = 8;

/** The command without `env`, shells and the like around it, or `undefined` where a wrapper could not be read. */
export function unwrap(words: readonly Word[]): readonly Word[] | undefined {
  let open: readonly Word[] | undefined = words;
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const [command, ...rest]: readonly Word[] = open;
    if (command === undefined) return undefined;
    const inner = unwrapOnce(command, rest);
    if (inner === "bare") return open;
    if (inner === undefined) return undefined;
    open = inner;
  }
  return undefined;
}

function unwrapOnce(command: Word, rest: readonly Word[]): readonly Word[] | "bare" | undefined {
  const program = programOf(command);
  const wrapper = WRAPPERS.get(program);
  if (wrapper !== undefined) {
    const read = readOptions(rest, wrapper);
    return read?.rest.slice(countAssignments(read.rest));
  }
  if (program === "cmd") return unwrapCmd(rest);
  if (SHELLS.has(program)) return unwrapShell(rest);
  if (program === "node") {
    const script = rest.find(({ text }) => !text.startsWith("-"));
    const [, name] = NPM_SCRIPT.exec(script?.text ?? "") ?? [];
    return script && name ? [{ ...script, text: name.toLowerCase() }, ...rest.slice(rest.indexOf(script) + 1)] : "bare";
  }
  return "bare";
}

function countAssignments(words: readonly Word[]): number {
  const first = words.findIndex(({ text }) => !ASSIGNMENT.test(text));
  return first === -1 ? words.length : first;
}

/** `cmd /d /s /c npx …`, in one argument or several. */
function unwrapCmd(words: readonly Word[]): readonly Word[] | undefined {
  const at = words.findIndex(({ text }) => /^\/[ck]$/i.test(text));
  if (at === -1 || words.slice(0, at).some(({ text }) => !/^\/[a-z]+$/i.test(text))) return undefined;
  const [first, ...others] = words.slice(at + 1);
  return first && [...(wordsOfScript(first) ?? [first]), ...others];
}

/** `sh -c "npx …"`: one simple command, with variables before it at most. A script file is a program of its own. */
function unwrapShell(words: readonly Word[]): readonly Word[] | "bare" | undefined {
  const read = readOptions(words, SHELL_OPTIONS);
  const [script] = read ? valuesOf(read, "-c") : [];
  if (script === undefined) return read?.rest.length ? "bare" : undefined;
  const inner = wordsOfScript(script);
  return inner?.slice(countAssignments(inner));
}

/** Programs that fetch what they run and that are not read. */
const FETCHERS =
  /^(?:deno|go|nix|nix-shell|dotnet|dnx|cargo|gem|mise|asdf|volta|fnm|nvm|conda|micromamba|pixi|jbang|docker-compose|kubectl|ssh|wsl|powershell|pwsh)$/;

/** Whether nobody can tell what a program runs: it fetches packages, or runs the command behind it in its own way. */
export function isUnreadable(program: string): boolean {
  return isRunner(program) || FETCHERS.test(program) || WRAPPERS.has(program);
}
