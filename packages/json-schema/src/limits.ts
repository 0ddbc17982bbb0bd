/** The default limit on nested schemas in a walk; real documents stay below 50. */
export const MAX_SCHEMA_DEPTH = 1000;
