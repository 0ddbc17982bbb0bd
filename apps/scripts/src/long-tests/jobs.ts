import { LIBRARIES } from "./libraries.ts";
import type { LongTest } from "./long-test.ts";
import { MCP } from "./mcp.ts";
import { STORED } from "./stored.ts";

export const LONG_TESTS: readonly LongTest[] = [...LIBRARIES, ...STORED, ...MCP];
