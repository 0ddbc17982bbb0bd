import { sendResult, serve, tool } from "./protocol.mjs";

// Says behind each answer that its tools have changed: as often as its argument says.
let changes = 0;
const most = Number(process.argv[2]);
serve(({ id }) => {
  sendResult(id, { tools: [tool("read"), ...Array.from({ length: changes }, (_, index) => tool(`new-${index}`))] });
  if (changes === most) return;
  changes++;
  const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
  setTimeout(() => process.stdout.write(`${JSON.stringify(changed)}\n`), 1);
});
