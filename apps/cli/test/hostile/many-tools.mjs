import { sendResult, serve, tool } from "./protocol.mjs";

// 10,000 tools on 100 pages.
serve(({ id, params }) => {
  const page = Number(params?.cursor ?? 0);
  const tools = Array.from({ length: 100 }, (_, index) => tool(`tool-${page * 100 + index}`));
  sendResult(id, page < 99 ? { tools, nextCursor: String(page + 1) } : { tools });
});
