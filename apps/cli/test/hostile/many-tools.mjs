import { sendResult, serve, tool } from "./protocol.mjs";

// 100 tools a page: on as many pages as its argument says, or on 100.
const pages = Number(process.argv[2] ?? 100);
serve(({ id, params }) => {
  const page = Number(params?.cursor ?? 0);
  const tools = Array.from({ length: 100 }, (_, index) => tool(`tool-${page * 100 + index}`));
  sendResult(id, page < pages - 1 ? { tools, nextCursor: String(page + 1) } : { tools });
});
