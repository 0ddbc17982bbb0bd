import { receiver, replies, serveAlone, tool } from "./protocol.mjs";

/** Lists 100 tools a page, on as many pages as its argument states (default: 100). */
export function start({ args: [pages = 100], write }) {
  const send = replies(write);
  return receiver(({ id, params }) => {
    const page = Number(params?.cursor ?? 0);
    const tools = Array.from({ length: 100 }, (_, index) => tool(`tool-${page * 100 + index}`));
    send.sendResult(id, page < Number(pages) - 1 ? { tools, nextCursor: String(page + 1) } : { tools });
  }, send);
}

serveAlone(start);
