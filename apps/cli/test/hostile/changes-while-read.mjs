import { sendNotification, sendResult, serve, tool } from "./protocol.mjs";

// With every answer, announces that the answer is outdated.
let readings = 0;
serve(({ id }) => {
  sendNotification("notifications/tools/list_changed");
  sendResult(id, { tools: [tool(`tool-${++readings}`)] });
});
