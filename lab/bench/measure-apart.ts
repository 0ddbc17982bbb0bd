import { fork } from "node:child_process";
import { once } from "node:events";
import type { Field, Result } from "./measure.ts";

/** A measurement made by a separate process: one comparison of a suite, and the number of comparisons in the suite. */
export interface Measured {
  readonly title: string;
  readonly count: number;
  readonly results: readonly Result[];
  /** The folders of the projects whose builds the process loaded; empty if its contenders are programs. */
  readonly projects: readonly string[];
}

/** Measures a comparison in its own process, so that earlier runs do not affect the compilation of its code. */
export async function measureApart(suite: string, index: number, field: Field): Promise<Measured> {
  const child = fork(new URL("child.ts", import.meta.url), [suite, String(index), field]);
  let measured: Measured | undefined;
  child.on("message", (message: Measured) => {
    measured = message;
  });
  await once(child, "close");
  if (measured === undefined) throw new Error(`${suite}: comparison ${index} could not be measured`);
  return measured;
}
