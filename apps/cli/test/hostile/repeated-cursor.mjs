import { sendResult, serve, tool } from "./protocol.mjs";

serve(({ id }) => sendResult(id, { tools: [tool("again")], nextCursor: "same" }));
