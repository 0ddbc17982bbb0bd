import { sendResult, serve, tool } from "./protocol.ts";

serve(({ id }) => sendResult(String(id), { tools: [tool("for-someone-else")] }));
