import type { AgentSpec } from "@agentprint/drover";
import { type } from "arktype";
import { z } from "zod";
import { type Change, changesOf } from "./change.ts";

const row = changesOf(
  (special: Partial<AgentSpec>): AgentSpec => ({ id: "writer", systemPrompt: "Write.", ...special }),
);

class Settings {
  readonly size = 1;
  readonly #secret: number;
  constructor(secret: number) {
    this.#secret = secret;
  }
  get secret(): number {
    return this.#secret;
  }
}

const says = (text: string) => () => text;
const KEY = Symbol("key");

export const rawChanges: readonly Change[] = [
  row(
    "any JSON value of a covered field",
    { seen: "model" },
    () => ({ model: { id: "a" } }),
    () => ({ model: { id: "b" } }),
  ),
  row(
    "order of an array",
    { seen: "tools" },
    () => ({ tools: ["a", "b"] }),
    () => ({ tools: ["b", "a"] }),
  ),
  row(
    "source of a prompt function",
    { seen: "systemPrompt" },
    () => ({ systemPrompt: () => "a" }),
    () => ({ systemPrompt: () => "b" }),
  ),
  row(
    "what a prompt function closes over",
    { warned: "/systemPrompt" },
    () => ({ systemPrompt: says("a") }),
    () => ({ systemPrompt: says("b") }),
  ),
  row(
    "id of a plugin",
    { seen: "pluginIds" },
    () => ({ plugins: [{ id: "a" }] }),
    () => ({ plugins: [{ id: "b" }] }),
  ),
  row(
    "other members of a plugin",
    { warned: "/plugins" },
    () => ({ plugins: [{ id: "a", on: 1 } as { id: string }] }),
    () => ({ plugins: [{ id: "a", on: 2 } as { id: string }] }),
  ),
  row(
    "a bound in a schema",
    { seen: "inputSchema" },
    () => ({ inputSchema: z.string().min(1) }),
    () => ({ inputSchema: z.string().min(2) }),
  ),
  row(
    "a callable schema",
    { seen: "inputSchema" },
    () => ({ inputSchema: type({ a: "string" }) }),
    () => ({ inputSchema: type({ a: "number" }) }),
  ),
  row(
    "a refinement in a schema",
    { warned: "/inputSchema" },
    () => ({ inputSchema: z.string().refine((text) => text !== "a") }),
    () => ({ inputSchema: z.string().refine((text) => text !== "b") }),
  ),
  row(
    "a function",
    { warned: "/tools/0/execute" },
    () => ({ tools: [{ execute: says("a") }] }),
    () => ({ tools: [{ execute: says("b") }] }),
  ),
  row(
    "what a toJSON leaves out",
    { warned: "/model" },
    () => ({ model: { size: 1, toJSON: () => "m" } }),
    () => ({ model: { size: 2, toJSON: () => "m" } }),
  ),
  row(
    "private members of an object that is not plain",
    { warned: "/model" },
    () => ({ model: new Settings(1) }),
    () => ({ model: new Settings(2) }),
  ),
  row(
    "inherited members",
    { warned: "/model" },
    () => ({ model: Object.assign(Object.create({ size: 1 }), { id: 1 }) }),
    () => ({ model: Object.assign(Object.create({ size: 2 }), { id: 1 }) }),
  ),
  row(
    "class of an object",
    { warned: "/model" },
    () => ({ model: { size: 1 } }),
    () => ({ model: new Settings(1) }),
  ),
  row(
    "a symbol",
    { warned: "/model/kind" },
    () => ({ model: { kind: Symbol("a") } }),
    () => ({ model: { kind: Symbol("b") } }),
  ),
  row(
    "members that are symbols",
    { warned: "/model" },
    () => ({ model: { [KEY]: 1 } }),
    () => ({ model: { [KEY]: 2 } }),
  ),
  row(
    "members that are not enumerable",
    { warned: "/model" },
    () => ({ model: Object.defineProperty({}, "size", { value: 1 }) }),
    () => ({ model: Object.defineProperty({}, "size", { value: 2 }) }),
  ),
  row(
    "members of an array",
    { warned: "/tools" },
    () => ({ tools: Object.assign(["a"], { strict: true }) }),
    () => ({ tools: Object.assign(["a"], { strict: false }) }),
  ),
  row(
    "NaN instead of Infinity",
    { warned: "/quota/turns" },
    () => ({ quota: { turns: Number.POSITIVE_INFINITY } }),
    () => ({ quota: { turns: Number.NaN } }),
  ),
  row(
    "-0 instead of 0",
    { warned: "/quota/turns" },
    () => ({ quota: { turns: 0 } }),
    () => ({ quota: { turns: -0 } }),
  ),
  row(
    "undefined instead of null in an array",
    { warned: "/tools/0" },
    () => ({ tools: [null] }),
    () => ({ tools: [undefined] }),
  ),
  row(
    "the twentieth of many functions",
    { warned: "" },
    () => ({ tools: Array.from({ length: 30 }, (_, index) => says(String(index))) }),
    () => ({ tools: Array.from({ length: 30 }, () => says("a")) }),
  ),
  row(
    "a field that is not covered",
    { warned: "" },
    () => ({ maxTurns: 1 }),
    () => ({ maxTurns: 2 }),
  ),
  row(
    "content of a skill",
    { warned: "/skills" },
    () => ({ skills: ["review"] }),
    () => ({ skills: ["review"] }),
  ),
  row(
    "tools of an MCP server",
    { warned: "/mcpServers" },
    () => ({ mcpServers: { files: {} } }),
    () => ({ mcpServers: { files: {} } }),
  ),
  row(
    "content of instruction files",
    { warned: "/instructionFiles" },
    () => ({ instructionFiles: ["a.md"] }),
    () => ({ instructionFiles: ["a.md"] }),
  ),
  row(
    "content of a prompt template",
    { warned: "/promptTemplate/path" },
    () => ({ promptTemplate: { path: "a" } }),
    () => ({ promptTemplate: { path: "a" } }),
  ),
];
