/** The three answers of every command. */
export const EXIT = {
  /** Done; nothing differs. */
  fine: 0,
  /** A difference was found. */
  difference: 1,
  /** Could not tell: wrong usage, unreadable input, a server that failed, or a defect of agentprint itself. */
  unknown: 2,
} as const;
