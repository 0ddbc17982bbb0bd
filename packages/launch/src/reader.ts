import { toPointer } from "@agentprint/canonical-json";
import { isLoadingCode } from "./code-variables.ts";
import { type Grammar, type ReadOptions, readOptions, valuesOf } from "./options.ts";
import type { Specifier } from "./specifiers.ts";
import { isAddress, isCodeName, isPath, isRelative, programOf, type Word } from "./words.ts";

/** A script or program that a launch names and that is already on the machine. */
export interface LaunchedFile {
  /** RFC 6901 JSON Pointer to the command or argument in the launch that names the file. */
  readonly pointer: string;
  /** The path as the launch writes it, relative to its folder; a name without a slash is a program on the `PATH`. */
  readonly path: string;
  /**
   * `program`: a bare name is looked up on the `PATH`; `script`: exactly this path; `node-script`: a path to which
   * Node.js may add an extension; `node-module`: a path or package as Node.js's `require` finds it.
   */
  readonly kind: "program" | "script" | "node-script" | "node-module";
  /** The folder that the path starts from, itself relative to the launch's, if an option such as `--cwd` names one. */
  readonly folder?: string;
}

/** A file with variables that a launch names. */
export type LaunchedEnvFile = Pick<LaunchedFile, "path" | "folder">;

/** A variable that a launch's words set. */
export interface SetVariable {
  readonly name: string;
  readonly value: string;
  readonly word: Word;
}

/** The end of an argument that is plain data: with any text there that does not begin with `-`, the same code runs. */
export interface PlainData {
  /** Index of the argument. */
  readonly argument: number;
  /** The index of the data's first UTF-16 code unit in the argument. */
  readonly start: number;
  /**
   * The variable that has this value, which may make a program load code; absent if the value is passed on to the
   * server.
   */
  readonly variable?: string;
}

/** A package that a launch fetches. */
export interface FoundPackage {
  readonly runner: string;
  readonly word: Word;
  readonly specifier: Specifier;
  /** The runner's options. */
  readonly options: ReadOptions["options"];
  /** Whether the word is also the command, so that the package is not named by an option. */
  readonly isCommand?: boolean;
}

/** The words after a runner that fetches packages from npm or a Python index. */
export interface RunnerCall {
  readonly command: Word;
  readonly options: ReadOptions["options"];
  /** The words that name packages. */
  readonly wanted: readonly Word[];
  /** The words that name packages to install together with these. */
  readonly beside: readonly Word[];
  /** The program for which an option's packages are fetched; absent if the package is the command. */
  readonly program?: Word;
  /** The words that are passed to the program. */
  readonly words: readonly Word[];
}

/** The first word in a launch whose effect is unknown. */
export interface Gap {
  readonly word: Word;
  /** The program whose arguments could not be parsed. */
  readonly unread?: string;
}

/** The folder in which a command is started, as changed by the words before the command. */
export interface Place {
  readonly folder?: string;
  /** Whether bare names are looked up in other places than the launch's `PATH`. */
  readonly hasOwnPrograms?: boolean;
  /** Whether all files belong to an image, whose digest covers them. */
  readonly isInImage?: boolean;
}

/** A program among a launch's words, and the words after it. */
export interface Call {
  readonly command: Word;
  readonly words: readonly Word[];
  readonly place: Place;
}

/** Reads a program and the words after it. */
export type ReadProgram = (reader: Reader, call: Call) => void;

/** The programs that are known by name. */
export interface Programs {
  /** Returns the reader of the words after a program, or `undefined` for an unknown program. */
  read(name: string): ReadProgram | undefined;
  /** Returns whether a name belongs to a program that runs code and is unlikely to be an ordinary word. */
  isRunner(name: string): boolean;
}

/** The maximum depth of nested programs. */
const MAX_DEPTH = 8;
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/**
 * Collects the files, packages and variables to which a launch's words lead, and the first word whose effect is
 * unknown.
 */
export class Reader {
  readonly files: LaunchedFile[] = [];
  readonly packages: FoundPackage[] = [];
  readonly envFiles: LaunchedEnvFile[] = [];
  readonly variables: SetVariable[] = [];
  readonly plainData: PlainData[] = [];
  gap: Gap | undefined;
  /** The first runner that was read. */
  runner: RunnerCall | undefined;
  readonly #programs: Programs;
  readonly #passed: readonly string[];
  #depth = 0;

  /** @param passed The names of the variables that the launch passes on */
  constructor(programs: Programs, passed: readonly string[]) {
    this.#programs = programs;
    this.#passed = passed;
  }

  /**
   * Notes a program if a variable changes the code that it loads, by the name of the first such variable that the
   * launch passes on or sets.
   */
  missVariable(command: Word, isMeant: RegExp): void {
    const name = this.#named().find((each) => isMeant.test(each));
    if (name !== undefined) this.miss({ ...command, text: name });
  }

  #named(): string[] {
    return [...this.#passed, ...this.variables.map(({ name }) => name)];
  }

  /** Returns whether a variable may be set: passed on by the launch, set by a word, or read from a file. */
  maySet(isMeant: RegExp): boolean {
    return this.envFiles.length > 0 || this.#named().some((name) => isMeant.test(name));
  }

  /** Reads a command. `behind` is the word before the command, which is noted if the command is missing. */
  run(words: readonly Word[], place: Place, behind: Word): void {
    const [command, ...rest] = words;
    this.#depth++;
    if (command === undefined || this.#depth > MAX_DEPTH) {
      this.miss(command ?? behind, programOf(command ?? behind));
      return;
    }
    if (command.text.startsWith("-")) {
      this.miss(command, programOf(behind));
      return;
    }
    const program = this.#programs.read(programOf(command));
    if (program !== undefined) {
      // A program in the launch's folder is not part of the system, even if it has a known name.
      if (isRelative(command)) this.file(command, "program", place);
      program(this, { command, words: rest, place });
    } else this.#runUnknown({ command, words: rest, place });
  }

  /** Reads a fetched package's program; an unknown program is assumed to run no other program on the machine. */
  runBinary(command: Word, words: readonly Word[], place: Place): void {
    if (isPath(command)) this.miss(command);
    if (this.#programs.read(programOf(command)) !== undefined) this.run([command, ...words], place, command);
    else this.lookForCode(words);
  }

  /**
   * Reads the command that is passed to an image; an unknown command belongs to the image, and so do the files that it
   * names.
   */
  runInImage(words: readonly Word[], place: Place): void {
    const [command] = words;
    if (command && this.#programs.read(programOf(command)) !== undefined)
      this.run(words, { ...place, isInImage: true }, command);
    // If an image has no entry point, the first word is the command.
    else this.passOn(words.slice(1));
  }

  /** Reads the words of a program that is not known by name: its own file runs, unless it may run another file. */
  #runUnknown({ command, words, place }: Call): void {
    if (place.isInImage) {
      this.passOn(words);
      return;
    }
    if (place.hasOwnPrograms && !isPath(command)) this.miss(command);
    else this.file(command, "program", place);
    this.lookForCode(words);
  }

  /** Notes unread words that name code, because it is unknown whether that code runs. */
  lookForCode(words: readonly Word[]): void {
    const found = words.find(({ text }) =>
      text
        .split(/[\s=,;|&'"()<>]+/)
        .some((part) => isCodeName(part) || this.#programs.isRunner(programOf({ text: part }))),
    );
    if (found === undefined) this.passOn(words);
    else this.miss(found);
  }

  /** Notes words that only the server reads; for an option, the text after `=`. */
  passOn(words: readonly Word[]): void {
    for (const { text, argument, start, isReadTwice } of words) {
      const sign = text.startsWith("-") ? text.indexOf("=") : undefined;
      if (!isReadTwice && sign !== -1)
        this.plainData.push({ argument, start: start + (sign === undefined ? 0 : sign + 1) });
    }
  }

  /** Notes a word whose effect is unknown. Only the first such word counts. */
  miss(word: Word, unread?: string): void {
    this.gap ??= { word, ...(unread !== undefined && { unread }) };
  }

  /** Notes a file that is interpreted. One argument names only one file. */
  file(word: Word, kind: LaunchedFile["kind"], { folder, isInImage }: Place): void {
    const pointer = pointerOf(word);
    if (isInImage && word.text !== "-") return;
    if (word.text === "" || word.text === "-" || this.files.some((file) => file.pointer === pointer)) this.miss(word);
    else this.files.push({ pointer, path: word.text, kind, ...(folder !== undefined && { folder }) });
  }

  /**
   * Reads the options after a program and notes their effects: preloaded code, files with variables, or a folder.
   *
   * @returns The options, the words after them, and the place in which the command starts; `undefined` if an option is
   * unknown.
   */
  options({ command, words, place }: Call, table: Grammar): (ReadOptions & { readonly place: Place }) | undefined {
    const read = readOptions(words, table);
    const folder = valuesOf(read, "folder").reduce(
      (at: string | undefined, { text }) => joinFolder(at, text),
      place.folder,
    );
    const here = folder === undefined ? place : { ...place, folder };
    for (const word of valuesOf(read, "code")) {
      if (isPath(word)) this.file(word, "script", here);
      else this.miss(word);
    }
    for (const word of valuesOf(read, "file")) {
      if (isAddress(word)) this.miss(word);
      else this.file(word, "script", here);
    }
    for (const word of valuesOf(read, "module")) {
      if (!isPath(word) && this.maySet(/^NODE_PATH$/i)) this.miss(word);
      else this.file(word, "node-module", here);
    }
    for (const { text } of valuesOf(read, "envFile"))
      this.envFiles.push({ path: text, ...(folder !== undefined && { folder }) });
    for (const word of valuesOf(read, "variable")) this.#assign(word);
    for (const { role, word } of read.options) if (role === "gap") this.miss(word);
    if (read.unread === undefined) return { ...read, place: here };
    this.miss(read.unread, programOf(command));
    return undefined;
  }

  /** Removes the variables before a command. */
  withoutAssignments(words: readonly Word[]): readonly Word[] {
    let count = 0;
    for (const word of words) {
      if (!this.#assign(word)) break;
      count++;
    }
    return words.slice(count);
  }

  /** Notes the variable that a word sets, and returns whether it sets one. */
  #assign(word: Word): boolean {
    const [, name, value] = ASSIGNMENT.exec(word.text) ?? [];
    if (name === undefined || value === undefined) return false;
    // With another PATH, other programs are found.
    const isCode = name.toUpperCase() === "PATH" || isLoadingCode(name, value);
    if (isCode) this.miss(word);
    this.variables.push({ name, value, word });
    const { argument, start, isReadTwice } = word;
    if (!isCode && !isReadTwice) this.plainData.push({ argument, start: start + name.length + 1, variable: name });
    return true;
  }
}

/** Returns the path of a folder whose name is relative to another folder. */
export function joinFolder(from: string | undefined, folder: string): string {
  if (from === undefined || /^(?:[/\\]|[a-z]:)/i.test(folder)) return folder;
  return `${from.replace(/[/\\]+$/, "")}/${folder}`;
}

/** Returns the RFC 6901 JSON Pointer to the argument in the launch that contains a word. */
export function pointerOf({ argument }: Word): string {
  return argument === -1 ? "/command" : toPointer(["args", argument]);
}
