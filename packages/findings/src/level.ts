/** The level of a finding; a `note` informs. */
export type Level = "note" | "warning" | "error";

/** The levels of findings. Each is lower than the next. */
export const LEVELS: readonly Level[] = /* @__PURE__ */ Object.freeze(["note", "warning", "error"]);
