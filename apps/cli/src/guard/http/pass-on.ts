import type { Context } from "../../context.ts";
import { MAX_LINE_BYTES } from "../limits.ts";
import { type OnLine, pumpLines } from "../message-pump.ts";
import { passStderr } from "../pass-stderr.ts";
import type { PinnedServer } from "../start-pinned.ts";

/** Passes on what a server writes, once the files of its launch were looked at again. Resolves when there is no more of it. */
export async function passOn(context: Context, server: PinnedServer, onLine: OnLine): Promise<void> {
  void server.errorsChecked.then((isAsPinned) => {
    if (isAsPinned) passStderr(context, server.stderr);
  });
  if (await server.outputChecked) await pumpLines(server.stdout, [], MAX_LINE_BYTES, onLine);
}
