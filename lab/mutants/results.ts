import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./choose.ts";

/** The outcome of a mutant. */
export interface Outcome {
  readonly id: number;
  /** The first failing test; absent if the mutant survived or was not tested. */
  readonly killedBy?: string;
  /** Why the mutant could not be tested. */
  readonly untested?: string;
  /** The place where the statement was found in the older sources, if not in the same file. */
  readonly movedTo?: string;
  readonly seconds: number;
}

/** The mutants of a run, written once, so that an interrupted run continues with the same mutants. */
export interface Plan {
  readonly seed: number;
  readonly commit: string;
  readonly mutants: readonly Mutant[];
}

/**
 * The folder with the files of a run: `plan.json`, `<name>.jsonl` with a line per outcome, and the table `<name>.md`.
 */
export class Results {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  plan(): Plan | undefined {
    const path = join(this.#folder, "plan.json");
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Plan) : undefined;
  }

  savePlan(plan: Plan): void {
    writeFileSync(join(this.#folder, "plan.json"), `${JSON.stringify(plan, null, 1)}\n`);
  }

  /** Returns the time in seconds that tests take without a mutant, by the arguments for Vitest. */
  cleanSeconds(name: string): Readonly<Record<string, number>> {
    const path = join(this.#folder, `${name}-clean.json`);
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, number>) : {};
  }

  saveCleanSeconds(name: string, args: string, seconds: number): void {
    const all = { ...this.cleanSeconds(name), [args]: seconds };
    writeFileSync(join(this.#folder, `${name}-clean.json`), `${JSON.stringify(all, null, 1)}\n`);
  }

  outcomes(name: string): Outcome[] {
    const path = join(this.#folder, `${name}.jsonl`);
    if (!existsSync(path)) return [];
    // The last line of a killed run may be incomplete; its mutant is tested again.
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    return lines.map((line) => JSON.parse(line) as Outcome);
  }

  add(name: string, outcome: Outcome): void {
    appendFileSync(join(this.#folder, `${name}.jsonl`), `${JSON.stringify(outcome)}\n`);
  }

  /** Writes the table of all outcomes; returns its path. */
  writeTable(name: string, title: string, mutants: readonly Mutant[]): string {
    const path = join(this.#folder, `${name}.md`);
    writeFileSync(path, tableOf(title, mutants, this.outcomes(name)));
    return path;
  }
}

function tableOf(title: string, mutants: readonly Mutant[], outcomes: readonly Outcome[]): string {
  const tested = outcomes.filter(({ untested }) => untested === undefined);
  const survived = tested.filter(({ killedBy }) => killedBy === undefined);
  const rows = outcomes.map(({ id, killedBy, untested, movedTo }) => {
    const mutant = mutants.find((candidate) => candidate.id === id) as Mutant;
    const place = `${mutant.file}:${mutant.line}${movedTo ? ` (there in ${movedTo})` : ""}`;
    const outcome = untested ? `not tested: ${untested}` : killedBy ? `killed by ${killedBy}` : "**survived**";
    return `| ${[id, place, changeOf(mutant), outcome].map((cell) => cellOf(String(cell))).join(" | ")} |`;
  });
  const sum = `${outcomes.length} of ${mutants.length} mutants: ${tested.length - survived.length} killed, ${survived.length} survived, ${outcomes.length - tested.length} not tested.`;
  const head = ["| # | place | change | outcome |", "| --- | --- | --- | --- |"];
  return [`# ${title}`, "", sum, "", ...head, ...rows, ""].join("\n");
}

/** Returns a mutant's change on one short line. */
export function changeOf({ operator, before, after }: Mutant): string {
  const short = (text: string): string => {
    const line = text.replaceAll(/\s+/g, " ");
    return line.length > 60 ? `${line.slice(0, 60)}…` : line;
  };
  return `${operator}: \`${short(before)}\` → \`${short(after)}\``;
}

const cellOf = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
