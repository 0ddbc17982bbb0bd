import { parseJson } from "@agentprint/canonical-json";
import { z } from "zod";
import type { WrappedConfig } from "./wrapped-state.ts";

const Record: z.ZodType<WrappedConfig> = z.object({
  wrappedVersion: z.literal(1),
  config: z.string(),
  entries: z.array(
    z.object({
      name: z.string(),
      member: z.array(z.union([z.string(), z.number()])),
      server: z.string(),
      lock: z.string(),
      at: z.string().exactOptional(),
    }),
  ),
});

/** Returns the configuration that a remembered text describes; throws where it describes none. */
export function parseRecord(text: string): WrappedConfig {
  return Record.parse(parseJson(text));
}
