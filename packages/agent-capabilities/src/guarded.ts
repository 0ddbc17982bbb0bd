import { CapabilityError, type CapabilityErrorCode, type CapabilityErrorDetails, reasonOf } from "./errors.ts";

/** What `read` returns. What a getter or a proxy throws meanwhile becomes a typed error, with what was thrown as its cause. */
export function guarded<T>(
  code: CapabilityErrorCode,
  what: string,
  read: () => T,
  details: CapabilityErrorDetails = {},
): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof CapabilityError) throw cause;
    throw new CapabilityError(code, `${what} cannot be read: ${reasonOf(cause)}`, { ...details, cause });
  }
}
