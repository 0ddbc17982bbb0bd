import { sendResult, serve, tool } from "./protocol.mjs";

// Sends a new cursor with every page, forever.
serve(({ id, params }) => {
  const page = Number(params?.cursor ?? 0) + 1;
  sendResult(id, { tools: [tool(`tool-${page}`)], nextCursor: String(page) });
});
