import { grammar, valuesOf } from "../options.ts";
import { type Call, joinFolder, type Place, type Reader, type ReadProgram } from "../reader.ts";
import { commandsOfCmd, commandsOfScript } from "../shell-words.ts";
import { isPath, programOf, readTwice, type Word } from "../words.ts";

/** A shell's options that do not change the meaning of a word. */
const SHELL_OPTIONS = /^(?:pipefail|errexit|errtrace|nounset|xtrace|verbose|noglob|noclobber|monitor|posix|allexport)$/;
/**
 * The options of `sh`, bash, zsh, dash and ksh. `-c` does not consume the script: the script is the first word after
 * the options.
 */
const SHELL = grammar({
  flags:
    "-a -b -c -e -f -h -i -l -m -n -p -r -u -v -x -B -C -E -H -P -T --login --norc --noprofile --posix --restricted --noediting --verbose --no-rcs",
  values: "-o",
  pattern: /^\+[a-zA-NP-Z]$/,
  gapFlags: "-s",
  roles: { gap: "-O --rcfile --init-file" },
  understood: { "-o": SHELL_OPTIONS },
});
const FISH = grammar({
  flags: "-i --interactive -l --login -N --no-config -P --private",
  values: "-f --features -d --debug -o --debug-output",
  gapFlags: "-n --no-execute",
  roles: { gap: "-C --init-command", script: "-c --command" },
});

/** Reads a script of simple commands: first `cd` and variables, then the command that runs. */
export function runScript(reader: Reader, script: Word, place: Place): void {
  const commands = commandsOfScript(script);
  if (commands === undefined) {
    reader.miss(script, "sh");
    return;
  }
  let here: Place | undefined = place;
  for (const [index, command] of commands.entries()) {
    if (here === undefined) return;
    if (index === commands.length - 1) reader.run(reader.withoutAssignments(command), here, script);
    else here = afterCommand(reader, command, here);
  }
}

/** Returns the place after a command, or `undefined` if the command may have other effects. */
function afterCommand(reader: Reader, command: readonly Word[], place: Place): Place | undefined {
  const [first, ...words] = command as readonly [Word, ...Word[]];
  const [folder, ...others] = words;
  if (first.text === "cd" && folder && others.length === 0 && !folder.text.startsWith("-")) {
    // With `CDPATH`, a folder name that is not a path is first looked up elsewhere.
    if (!isPath(folder) && reader.maySet(/^CDPATH$/i)) reader.miss(folder);
    return { ...place, folder: joinFolder(place.folder, folder.text) };
  }
  if (/^(?::|true)$/.test(first.text)) return place;
  if (first.text === "set" && words.every(({ text }) => /^[-+][a-z]+$/.test(text) || SHELL_OPTIONS.test(text)))
    return place;
  // `export -x A B=c`: words that set no variable are names and options.
  const names = /^(?:export|readonly)$/.test(first.text)
    ? words.filter(({ text }) => !/^(?:-[a-z]+|\w+)$/.test(text))
    : command;
  if (reader.withoutAssignments(names).length === 0) return place;
  reader.miss(first, first.text);
  return undefined;
}

const shell: ReadProgram = (reader, call) => {
  const read = reader.options(call, SHELL);
  if (read === undefined) return;
  const [script] = read.rest;
  const interactive = read.options.find(({ name }) => name === "-i");
  if (interactive && reader.maySet(/^ENV$/)) reader.miss(interactive.word);
  if (script === undefined) reader.miss(call.command, programOf(call.command));
  else if (read.options.some(({ name }) => name === "-c")) runScript(reader, script, read.place);
  else {
    reader.file(script, "script", read.place);
    reader.passOn(read.rest.slice(1));
  }
};

/** Reads `cmd /d /s /c npx …`, in one or more arguments. */
const runCmd = (reader: Reader, { command, words, place }: Call) => {
  const at = words.findIndex(({ text }) => /^\/[ck]$/i.test(text));
  const [first, ...others] = words.slice(at + 1);
  const strange = words.slice(0, Math.max(at, 0)).find(({ text }) => !/^\/(?:[adqsu]|[efv]:(?:on|off))$/i.test(text));
  if (at === -1 || first === undefined || strange !== undefined) return reader.miss(strange ?? command, "cmd");
  const commands = commandsOfCmd(first);
  if (commands === undefined || others.some(({ text }) => /[%^!&|<>()]/.test(text))) return reader.miss(first, "cmd");
  let here: Place = place;
  for (const [index, [name, ...rest]] of commands.entries()) {
    if (index === commands.length - 1) return reader.run([name as Word, ...rest, ...readTwice(others)], here, first);
    const [option, folder] = rest.length === 2 ? rest : [undefined, rest[0]];
    const isCd =
      name?.text.toLowerCase() === "cd" && rest.length <= 2 && (option === undefined || /^\/d$/i.test(option.text));
    if (!isCd || folder === undefined) return reader.miss(name ?? first, "cmd");
    here = { ...here, folder: joinFolder(here.folder, folder.text) };
  }
};

/** PowerShell's options, whose case does not matter. */
const POWERSHELL_FLAGS = /^-(?:noprofile|nop|nologo|noninteractive|noni|noexit|sta|mta|login|l)$/i;
const POWERSHELL_VALUES = /^-(?:executionpolicy|ex|ep|windowstyle|w|inputformat|outputformat|version)$/i;

/** Reads `powershell -File x.ps1`, `pwsh -Command "node server.js"`. */
const runPowershell = (reader: Reader, { command, words, place }: Call) => {
  let index = 0;
  for (let word = words[index]; word !== undefined; word = words[index]) {
    const next = words[index + 1];
    if (next?.text.startsWith("-") && !POWERSHELL_FLAGS.test(word.text)) return reader.miss(word, "powershell");
    if (/^-(?:file|f)$/i.test(word.text) && next) return reader.file(next, "script", place);
    if (/^-(?:command|c)$/i.test(word.text) && next)
      return runPowershellCommand(reader, next, words.slice(index + 2), place);
    if (!POWERSHELL_FLAGS.test(word.text) && !POWERSHELL_VALUES.test(word.text)) return reader.miss(word, "powershell");
    index += POWERSHELL_VALUES.test(word.text) ? 2 : 1;
  }
  reader.miss(command, "powershell");
};

/** Reads one command of plain words, with `&` before it if it is in quotes. */
const runPowershellCommand = (reader: Reader, script: Word, others: readonly Word[], place: Place) => {
  const commands = commandsOfCmd({ ...script, text: script.text.replace(/^& (?=\S)/, "  ") });
  const [words, ...more] = commands ?? [];
  const isPlain = [...(words ?? []), ...others].every(({ text }) => /^[\w@%+=:./\\^~-]*$/.test(text) && text !== "--%");
  if (words === undefined || more.length > 0 || !isPlain) return reader.miss(script, "powershell");
  reader.run([...words, ...readTwice(others)], place, script);
};

const fish: ReadProgram = (reader, call) => {
  const read = reader.options(call, FISH);
  if (read === undefined) return;
  const [script, another] = valuesOf(read, "script");
  const [file] = read.rest;
  if (another !== undefined) reader.miss(another);
  if (script !== undefined) runScript(reader, script, read.place);
  else if (file !== undefined) {
    reader.file(file, "script", read.place);
    reader.passOn(read.rest.slice(1));
  } else reader.miss(call.command, "fish");
};

export const SHELL_PROGRAMS: Readonly<Record<string, ReadProgram>> = {
  sh: shell,
  bash: shell,
  zsh: shell,
  dash: shell,
  ash: shell,
  ksh: shell,
  fish,
  cmd: runCmd,
  powershell: runPowershell,
  pwsh: runPowershell,
};
