import { AgentIdSchema } from "@agentprint/registry-api/answers";
import { InvalidArgumentError } from "commander";

/**
 * Returns an agent's id from the command line.
 *
 * @throws `InvalidArgumentError` when the id is not valid.
 */
export function agentId(text: string): string {
  if (AgentIdSchema.safeParse(text).success) return text;
  throw new InvalidArgumentError("expected 1 to 128 letters, digits, dots, dashes and underscores");
}
