/** The caller, with the tasks that it may see and the name under which it records. */
export interface Principal {
  /** The id of its token; `local` for a caller without a token. */
  readonly id: string;
  /** The author of its thoughts; `undefined` if the caller names the author itself. */
  readonly agentId: string | undefined;
  /** The tasks that the caller may see: names, and prefixes of names, which end with `*`. */
  readonly tasks: readonly string[];
}

/** The caller over stdio, or on this machine without a token, who sees every task. */
export const LOCAL: Principal = { id: "local", agentId: undefined, tasks: ["*"] };

/** Returns whether a caller may see a task. */
export function seesTask({ tasks }: Principal, taskId: string): boolean {
  return tasks.some((task) => (task.endsWith("*") ? taskId.startsWith(task.slice(0, -1)) : task === taskId));
}
