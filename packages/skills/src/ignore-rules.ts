import { type PatternPart, partsOf } from "./ignore-pattern.ts";

/** A line of a `.gitignore`. */
interface IgnoreRule {
  readonly isNegated: boolean;
  readonly isOfFolders: boolean;
  /** Whether the rule matches the path from its folder, not only a name. */
  readonly isOfPath: boolean;
  readonly parts: readonly PatternPart[];
}

/** The remaining steps for matching; below zero, there is too much work. */
export interface Budget {
  steps: number;
}

/** The rules of a `.gitignore`, and where its folder is relative to the project. */
export interface IgnoreFile {
  readonly rules: readonly IgnoreRule[];
  /** The path from the project's folder, with `/` at the end; empty for the project's folder and those above it. */
  readonly folder: string;
  /** For a folder above the project, the path from there to the project, with `/` at the end; otherwise empty. */
  readonly above: string;
}

/** Returns the rules of a `.gitignore`, as gitignore(5) defines them. Names are compared byte by byte. */
export function readIgnoreRules(bytes: Uint8Array): IgnoreRule[] {
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "");
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("#")) return [];
    const written = withoutSpaces(line.endsWith("\r") ? line.slice(0, -1) : line);
    const isNegated = written.startsWith("!");
    const whole = isNegated ? written.slice(1) : written;
    const isOfFolders = whole.endsWith("/");
    const pattern = isOfFolders ? whole.slice(0, -1) : whole;
    const parts = pattern === "" ? undefined : partsOf(pattern.startsWith("/") ? pattern.slice(1) : pattern);
    return parts ? [{ isNegated, isOfFolders, isOfPath: pattern.includes("/"), parts }] : [];
  });
}

/** Returns the line without trailing spaces; a space after a backslash stays. */
function withoutSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    const isEscape = line[at] === "\\";
    if (isEscape) at++;
    if (isEscape || line[at] !== " ") end = at + 1;
  }
  return line.slice(0, end);
}

/**
 * Returns whether a path is ignored: by the last rule about it in the nearest `.gitignore` that has one. Everything
 * below an ignored folder is ignored, too; this function is not called for it.
 *
 * @param path The path from the folder of the project.
 * @param files The `.gitignore` files, the nearest one last.
 */
export function isIgnored(files: readonly IgnoreFile[], path: string, isFolder: boolean, budget: Budget): boolean {
  for (const { rules, folder, above } of files.toReversed()) {
    const bytes = Buffer.from(above + path.slice(folder.length)).toString("latin1");
    const name = bytes.slice(bytes.lastIndexOf("/") + 1);
    for (const { isNegated, isOfFolders, isOfPath, parts } of rules.toReversed()) {
      if (isOfFolders && !isFolder) continue;
      if (matches(parts, isOfPath ? bytes : name, budget)) return !isNegated;
    }
  }
  return false;
}

/**
 * Returns whether the parts match the complete text. All ways to match are followed at once, so the work is at most the
 * product of the lengths.
 */
function matches(parts: readonly PatternPart[], text: string, budget: Budget): boolean {
  let states = reached(parts, [0]);
  for (const byte of text) {
    budget.steps -= states.length + 1;
    if (states.length === 0 || budget.steps < 0) return false;
    const next: number[] = [];
    for (const state of states) {
      const part = parts[Math.floor(state)];
      if (part === undefined) continue;
      if (part.run === "none") {
        if (part.has(byte)) next.push(state + 1);
      } else if (part.run === "all" || (part.run === "name" && byte !== "/")) next.push(state);
      else if (part.run === "folders") {
        // An odd state is inside a folder, where the part cannot end.
        next.push(Math.floor(state) + INSIDE);
        if (byte === "/") next.push(Math.floor(state) + 1);
      }
    }
    states = reached(parts, next);
  }
  return states.includes(parts.length);
}

const INSIDE = 0.5;

/** Returns the states, and those reached through parts that can match nothing, each once. */
function reached(parts: readonly PatternPart[], states: readonly number[]): number[] {
  const all = new Set(states);
  for (const state of all) {
    const part = parts[state];
    if (part !== undefined && part.run !== "none") all.add(state + 1);
  }
  return [...all];
}
