import { describeTools as describeAiSdk } from "@agentprint/guard/ai-sdk";
import { describeTools as describeLangChain } from "@agentprint/guard/langchain";
import { describeTools as describeOpenAi } from "@agentprint/guard/openai-agents";
import { pinTools, type ToolPins } from "@agentprint/tool-pins";
import type { Tool } from "@openai/agents";
import type { ToolSet } from "ai";

// A framework's tool has fewer members than the tool that its server sent. All three frameworks drop `icons`, `_meta`
// and members that they do not know, and can rewrite the schema. LangChain also drops `title` and `outputSchema`;
// OpenAI Agents drops `title` and `annotations`, and adds `strict`. Changes to these are not seen here, and the digests
// never equal the digests in a lock or in pins of the raw list, so pin the raw list if there is a server to query.

export const pinAiSdk = async (tools: ToolSet): Promise<ToolPins> => pinTools(await describeAiSdk(tools));

export const pinLangChain = (tools: readonly object[]): ToolPins => pinTools(describeLangChain(tools));

export const pinOpenAiAgents = (tools: readonly Tool[]): ToolPins => pinTools(describeOpenAi(tools));
