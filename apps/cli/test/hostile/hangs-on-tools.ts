import { serve } from "./protocol.ts";

// Starts well and never answers again.
serve(() => undefined);
