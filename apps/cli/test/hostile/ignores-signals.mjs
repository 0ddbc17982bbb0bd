import { serve } from "./protocol.mjs";

// Does not end when its input does, nor when asked to.
process.on("SIGTERM", () => undefined);
setInterval(() => undefined, 1000);
process.stderr.write(`pid ${process.pid}\n`);
serve(() => undefined);
