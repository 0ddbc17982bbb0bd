import type { GuardOptions } from "../options.ts";
import { DefinitionJudge } from "./definition-judge.ts";
import { ExpiringSet } from "./expiring-set.ts";
import { CallRate } from "./rate.ts";
import { Seal } from "./seal.ts";
import { TaskVerdicts } from "./task-verdicts.ts";

/** The memory of a guard for calls, questions about them, and tasks. */
export class CallState {
  readonly ask: GuardOptions["ask"];
  readonly judge: DefinitionJudge = new DefinitionJudge();
  readonly rate: CallRate = new CallRate();
  readonly seal: Seal;
  /** Answers that were used already. */
  readonly used: ExpiringSet;
  /** Calls with consent that the server has not finished. */
  readonly agreed: ExpiringSet;
  readonly tasks: TaskVerdicts;
  /** Tasks that the guard has cancelled. */
  readonly cancelledTasks: ExpiringSet;

  /** @param pending The most entries of each kind. */
  constructor(ask: GuardOptions["ask"], random: (bytes: number) => Uint8Array, pending: number) {
    this.ask = ask;
    this.seal = new Seal(random);
    this.used = new ExpiringSet(pending);
    this.agreed = new ExpiringSet(pending);
    this.tasks = new TaskVerdicts(pending);
    this.cancelledTasks = new ExpiringSet(pending);
  }
}
