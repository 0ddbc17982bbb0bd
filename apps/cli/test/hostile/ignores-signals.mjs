import { serve } from "./protocol.mjs";

// Ignores signals and the end of its input.
process.on("SIGTERM", () => undefined);
setInterval(() => undefined, 1000);
process.stderr.write(`pid ${process.pid}\n`);
serve(() => undefined);
