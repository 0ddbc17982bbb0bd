import { fingerprintTool, LAYERS } from "@agentprint/mcp-lock";
import * as z from "zod";
import { jsonObject, readObject } from "./arguments.ts";
import { defineTool, READS } from "./tool.ts";

const digest = (description: string) => z.string().length(64).describe(description);

/** `tool_fingerprint`: returns the digests of an MCP tool and of its layers. */
export const toolFingerprint = defineTool({
  name: "tool_fingerprint",
  title: "Fingerprint a tool",
  description:
    "Computes SHA-256 digests of an MCP tool's definition as received: of all of it, and of its contract, " +
    "prose, hints and rest. Compare them with earlier ones to see which part changed.",
  input: z.strictObject({ tool: jsonObject("The definition of the tool, as `tools/list` returned it") }),
  output: z.object({
    wire: digest("The whole definition."),
    contract: digest("Name and schemas without prose."),
    prose: digest("Title, description, and the prose of the schemas."),
    hints: digest("The annotations."),
    rest: digest("Every other member."),
  }),
  annotations: READS,
  run: ({ tool }) => {
    const content = fingerprintTool(readObject("tool", tool));
    const lines = (["wire", ...LAYERS] as const).map((layer) => `${layer.padEnd(8)} ${content[layer]}`);
    return { content, text: lines.join("\n") };
  },
});
