import { sendResult, serve, tool } from "./protocol.mjs";

serve(({ id }) => sendResult(String(id), { tools: [tool("for-someone-else")] }));
