import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const FILE = "lab/bench/allowances.json";

/** A row that a change makes slower for a good reason, and the slowdown at which it fails, where 1.3 is 30 %. */
export interface Allowance {
  readonly row: string;
  readonly slowdown: number;
  readonly reason: string;
}

const Allowances: z.ZodType<Allowance[]> = z.array(
  z.strictObject({ row: z.string().min(1), slowdown: z.number().gt(1.1), reason: z.string().min(1) }),
);

/**
 * Returns the allowances that the base does not have: each applies only to the change that adds it.
 *
 * @throws Error if this checkout's file is not a list of allowances
 */
export function newAllowances(root: string, base: string): Allowance[] {
  const known = read(base).map((allowance) => JSON.stringify(allowance));
  const parsed = Allowances.safeParse(read(root));
  if (!parsed.success) throw new Error(`${FILE}: ${z.prettifyError(parsed.error)}`);
  return parsed.data.filter((allowance) => !known.includes(JSON.stringify(allowance)));
}

export function allowanceOf(allowances: readonly Allowance[], suite: string, name: string): Allowance | undefined {
  return allowances.find(({ row }) => row === `${suite}, ${name}`);
}

function read(root: string): unknown[] {
  const file = join(root, FILE);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
}
