import { sendResult, serve, tool } from "./protocol.mjs";

serve(({ id }) => sendResult(id, { tools: [tool("read", "the good one"), tool("read", "the other one")] }));
