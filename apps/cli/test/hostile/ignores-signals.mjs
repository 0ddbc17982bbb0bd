import { serve } from "./protocol.mjs";

// Ignores the end of its input, and signals.
process.on("SIGTERM", () => undefined);
setInterval(() => undefined, 1000);
process.stderr.write(`pid ${process.pid}\n`);
serve(() => undefined);
