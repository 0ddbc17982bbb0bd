import type { GuardUnderAttack, World } from "./world.ts";

/** The result of an attack. */
interface Outcome {
  readonly ended: string;
  /** The number of calls, tools and texts that got past the guard. */
  readonly passed: number;
}

/** An attack on a guard. The promise of `run` rejects if the guard hangs. */
export interface Attack {
  readonly name: string;
  readonly amount: string;
  run(target: { readonly world: World; readonly guard: GuardUnderAttack }): Promise<Outcome>;
}
