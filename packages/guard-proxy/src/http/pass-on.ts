import { MAX_LINE_BYTES } from "../limits.ts";
import { type OnLine, pumpLines, withoutLog } from "../message-pump.ts";
import { passStderr } from "../pass-stderr.ts";
import type { PinnedServer } from "../pinned-server.ts";
import type { ProxyOutput } from "../proxy-output.ts";

/**
 * Passes on a server's output after the files of its launch have been compared again. Resolves at the end of the
 * output.
 */
export async function passOn(output: ProxyOutput, server: PinnedServer, onLine: OnLine): Promise<void> {
  void server.errorsChecked.then((isAsPinned) => {
    if (isAsPinned) passStderr(output, server.stderr);
  });
  if (await server.outputChecked) await pumpLines(server.stdout, [], MAX_LINE_BYTES, withoutLog(onLine));
}
