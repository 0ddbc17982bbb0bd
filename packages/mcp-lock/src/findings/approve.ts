/** The advice for an intended difference. */
export const APPROVE = "Review the change, then run `agentprint approve <server>`, or go back to the locked version.";
