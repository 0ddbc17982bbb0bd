import { sendNotification, sendResult, serve, tool } from "./protocol.mjs";

// Announces changed tools behind each answer, as many times as its argument says.
let changes = 0;
const most = Number(process.argv[2]);
serve(({ id }) => {
  sendResult(id, { tools: [tool("read"), ...Array.from({ length: changes }, (_, index) => tool(`new-${index}`))] });
  if (changes === most) return;
  changes++;
  sendNotification("notifications/tools/list_changed");
});
