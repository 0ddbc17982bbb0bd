import type { GuardUnderAttack, World } from "./world.ts";

/** The result of an attack. */
interface Outcome {
  readonly ended: string;
  /** How many calls, tools and texts got past. */
  readonly passed: number;
}

/** Something that nobody should do to a guard. It rejects where something hangs. */
export interface Attack {
  readonly name: string;
  readonly amount: string;
  run(target: { readonly world: World; readonly guard: GuardUnderAttack }): Promise<Outcome>;
}
