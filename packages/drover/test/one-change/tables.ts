import { aiSdkChanges } from "./ai-sdk.ts";
import type { Table } from "./change.ts";
import { langGraphChanges } from "./langgraph.ts";
import { openAiChanges } from "./openai-agents.ts";
import { rawChanges } from "./raw-specs.ts";

/** The tables of seen changes, except for frameworks that take seconds to load. */
export const TABLES: readonly Table[] = [
  ["Specs", rawChanges],
  ["OpenAI Agents", openAiChanges],
  ["AI SDK", aiSdkChanges],
  ["LangGraph", langGraphChanges],
];
