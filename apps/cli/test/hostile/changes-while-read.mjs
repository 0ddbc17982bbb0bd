import { sendNotification, sendResult, serve, tool } from "./protocol.mjs";

// Says with every answer that the answer is no longer true.
let readings = 0;
serve(({ id }) => {
  sendNotification("notifications/tools/list_changed");
  sendResult(id, { tools: [tool(`tool-${++readings}`)] });
});
