import { sendResult, serve, tool } from "./protocol.mjs";

serve(({ id }) => sendResult(`0${id}`, { tools: [tool("for-someone-else")] }));
