import type { Surroundings } from "@agentprint/artifacts";
import type { Context } from "../run/context.ts";

/** Returns the folder and the variables with which the command queries npm, uv and registries. */
export function surroundingsOf(context: Pick<Context, "env" | "pathOf" | "signal">): Surroundings {
  const { env, signal } = context;
  return { cwd: context.pathOf("."), env, ...(signal && { signal }) };
}
