/** The level of a finding; a `note` only informs. */
export type Level = "note" | "warning" | "error";

/** The levels of findings. The levels from low to high. */
export const LEVELS: readonly Level[] = /* @__PURE__ */ Object.freeze(["note", "warning", "error"]);
