/** Schemas inside schemas that a walk follows where no other limit is given; real documents stay below 50. */
export const MAX_SCHEMA_DEPTH = 1000;
