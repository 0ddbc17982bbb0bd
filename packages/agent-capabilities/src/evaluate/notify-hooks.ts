import type { Hooks } from "../define/hooks.ts";
import { CapabilityError, reasonOf } from "../errors.ts";

/**
 * Calls one hook of each observer, outermost first, and awaits it.
 *
 * @throws {@link CapabilityError} `hook-failed` when a hook throws
 */
export async function notifyHooks<Name extends keyof Hooks>(
  observers: readonly Hooks[],
  name: Name,
  event: Parameters<NonNullable<Hooks[Name]>>[0],
): Promise<void> {
  for (const observer of observers) {
    const hook = observer[name] as ((event: unknown) => void | Promise<void>) | undefined;
    try {
      await hook?.call(observer, event);
    } catch (cause) {
      throw new CapabilityError("hook-failed", `hook ${name} failed: ${reasonOf(cause)}`, { cause });
    }
  }
}
