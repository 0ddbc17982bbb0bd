import { defineToolInputGuardrail, hostedMcpTool, toolNamespace, webSearchTool } from "@openai/agents";
import { z } from "zod";
import type { Change } from "./change.ts";
import { critic, read, row, type Special, same, says, withTool } from "./openai-agent.ts";

const allow = { run: async () => ({ behavior: { type: "allow" } }) as const };

export const openAiToolChanges: readonly Change[] = [
  row("tools configured, though there are none", { seen: "model" }, same, () => ({ tools: [] })),
  row("name of a tool", { seen: "tools" }, withTool({}), withTool({ name: "list" })),
  row("description of a tool", { seen: "tools" }, withTool({}), withTool({ description: "Reads." })),
  row(
    "parameters of a tool",
    { seen: "tools" },
    withTool({}),
    withTool({ parameters: z.object({ path: z.string().max(9) }) }),
  ),
  row(
    "refinement of the parameters of a tool",
    { warned: "/tools/0/invoke" },
    withTool({}),
    withTool({ parameters: z.object({ path: z.string().refine((path) => path !== "/") }) }),
  ),
  row(
    "order of tools",
    { seen: "tools" },
    () => ({ tools: [read(), read({ name: "list" })] }),
    () => ({ tools: [read({ name: "list" }), read()] }),
  ),
  row(
    "needsApproval of a tool",
    { warned: "/tools/0/needsApproval" },
    withTool({ needsApproval: true }),
    withTool({ needsApproval: false }),
  ),
  row(
    "needsApproval of the tenth tool",
    { warned: "/tools/9/needsApproval" },
    ...([true, false].map(
      (needsApproval) => (): Special => ({
        tools: Array.from({ length: 10 }, (_, index) =>
          read({ name: `tool_${index}`, needsApproval: index < 9 || needsApproval }),
        ),
      }),
    ) as [() => Special, () => Special]),
  ),
  row(
    "isEnabled of a tool",
    { warned: "/tools/0/isEnabled" },
    withTool({ isEnabled: true }),
    withTool({ isEnabled: false }),
  ),
  row("execute of a tool", { warned: "/tools/0/invoke" }, withTool({}), withTool({ execute: async () => "other" })),
  row(
    "errorFunction of a tool",
    { warned: "/tools/0/invoke" },
    withTool({ errorFunction: says("a") }),
    withTool({ errorFunction: says("b") }),
  ),
  row("timeoutMs of a tool", { seen: "tools" }, withTool({}), withTool({ timeoutMs: 100 })),
  row("deferLoading of a tool", { seen: "tools" }, withTool({}), withTool({ deferLoading: true })),
  row(
    "guardrail of a tool",
    { seen: "tools" },
    withTool({}),
    withTool({ inputGuardrails: [defineToolInputGuardrail({ name: "polite", ...allow })] }),
  ),
  row(
    "what a guardrail of a tool does",
    { warned: "/tools/0/inputGuardrails/0/run" },
    withTool({ inputGuardrails: [defineToolInputGuardrail({ name: "polite", ...allow })] }),
    withTool({
      inputGuardrails: [
        defineToolInputGuardrail({
          name: "polite",
          run: async () => ({ behavior: { type: "throwException" } }) as const,
        }),
      ],
    }),
  ),
  row(
    "namespace of a tool, in a symbol",
    { seen: "tools" },
    () => ({ tools: toolNamespace({ name: "a", description: "d", tools: [read() as never] }) }),
    () => ({ tools: toolNamespace({ name: "b", description: "d", tools: [read() as never] }) }),
  ),
  row(
    "settings of a hosted tool",
    { seen: "tools" },
    () => ({ tools: [webSearchTool({ searchContextSize: "low" })] }),
    () => ({ tools: [webSearchTool({ searchContextSize: "high" })] }),
  ),
  row(
    "requireApproval of a hosted MCP server",
    { seen: "tools" },
    () => ({ tools: [hostedMcpTool({ serverLabel: "a", serverUrl: "https://a.example" })] }),
    () => ({ tools: [hostedMcpTool({ serverLabel: "a", serverUrl: "https://a.example", requireApproval: "always" })] }),
  ),
  row(
    "onApproval of a hosted MCP server",
    { warned: "/tools/0/providerData/on_approval" },
    ...([true, false].map(
      (approve) => (): Special => ({
        tools: [
          hostedMcpTool({
            serverLabel: "a",
            serverUrl: "https://a.example",
            requireApproval: "always",
            onApproval: async () => ({ approve }),
          }),
        ],
      }),
    ) as [() => Special, () => Special]),
  ),
  row(
    "agent behind asTool",
    { warned: "/tools/0/invoke" },
    () => ({ tools: [critic().asTool({ toolName: "ask", toolDescription: "Asks." })] }),
    () => ({
      tools: [
        critic({ instructions: "Praise.", model: "gpt-5" }).asTool({ toolName: "ask", toolDescription: "Asks." }),
      ],
    }),
  ),
];
