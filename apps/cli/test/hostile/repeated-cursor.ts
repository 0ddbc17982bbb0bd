import { sendResult, serve, tool } from "./protocol.ts";

serve(({ id }) => sendResult(id, { tools: [tool("again")], nextCursor: "same" }));
