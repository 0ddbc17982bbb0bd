/** How many schemas inside one another a walk follows unless the caller sets another limit; real documents stay below 50. */
export const MAX_SCHEMA_DEPTH = 1000;
