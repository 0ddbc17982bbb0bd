import { sendNotification, sendResult, serve, tool } from "./protocol.mjs";

// Says behind each answer that its tools have changed: as often as its argument says.
let changes = 0;
const most = Number(process.argv[2]);
serve(({ id }) => {
  sendResult(id, { tools: [tool("read"), ...Array.from({ length: changes }, (_, index) => tool(`new-${index}`))] });
  if (changes === most) return;
  changes++;
  sendNotification("notifications/tools/list_changed");
});
