import { receiver, replies, serveAlone, tool } from "./protocol.mjs";

/** Announces changed tools after each answer, as many times as its argument states. */
export function start({ args: [most], write }) {
  const send = replies(write);
  let changes = 0;
  return receiver(({ id }) => {
    const added = Array.from({ length: changes }, (_, index) => tool(`new-${index}`));
    send.sendResult(id, { tools: [tool("read"), ...added] });
    if (changes === Number(most)) return;
    changes++;
    send.sendNotification("notifications/tools/list_changed");
  }, send);
}

serveAlone(start);
