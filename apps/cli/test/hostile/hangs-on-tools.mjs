import { serve } from "./protocol.mjs";

// Starts normally and then never answers again.
serve(() => undefined);
