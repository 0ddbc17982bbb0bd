import { sendResult, serve, tool } from "./protocol.ts";

// Says that its tools changed when they have been read and its prompts are asked for: as often as its argument says.
let changes = 0;
const most = Number(process.argv[2]);
serve(
  ({ id, method }) => {
    if (method === "tools/list") {
      sendResult(id, { tools: [tool("read"), ...Array.from({ length: changes }, (_, index) => tool(`new-${index}`))] });
    } else {
      if (changes < most) {
        changes++;
        process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n`);
      }
      sendResult(id, { prompts: [] });
    }
  },
  { tools: {}, prompts: {} },
);
