import { sendResult, serve, tool } from "./protocol.mjs";

// Says with every answer that the answer is no longer true.
let readings = 0;
serve(({ id }) => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n`);
  sendResult(id, { tools: [tool(`tool-${++readings}`)] });
});
