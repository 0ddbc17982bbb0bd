/** The answers of the measured server in both eras: one tool that returns its text. */
const capabilities = { tools: {} };
const serverInfo = { name: "echo", version: "1" };
const tools = [{ name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } }];
const handling = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

export function answerTo({ method, params }) {
  const isModern = params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
  switch (method) {
    case "initialize":
      return { result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } };
    case "server/discover":
      return {
        result: {
          ...handling,
          supportedVersions: ["2026-07-28"],
          capabilities,
          _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
        },
      };
    case "tools/list":
      return { result: { ...(isModern && handling), tools } };
    case "tools/call":
      return {
        result: {
          ...(isModern && { resultType: "complete" }),
          content: [{ type: "text", text: params.arguments.text }],
        },
      };
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}
