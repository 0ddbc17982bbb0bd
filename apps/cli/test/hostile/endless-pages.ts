import { sendResult, serve, tool } from "./protocol.ts";

// A new cursor with every page, for ever.
serve(({ id, params }) => {
  const page = Number(params?.cursor ?? 0) + 1;
  sendResult(id, { tools: [tool(`tool-${page}`)], nextCursor: String(page) });
});
