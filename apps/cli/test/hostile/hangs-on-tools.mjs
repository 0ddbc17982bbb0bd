import { serve } from "./protocol.mjs";

// Starts well and never answers again.
serve(() => undefined);
