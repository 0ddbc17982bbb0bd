import { LIBRARIES } from "./libraries.ts";
import type { LongTest } from "./long-test.ts";
import { MCP } from "./mcp.ts";
import { PORTS } from "./ports.ts";
import { STORED } from "./stored.ts";

export const LONG_TESTS: readonly LongTest[] = [...LIBRARIES, ...PORTS, ...STORED, ...MCP];
