/** Returns new values each time, because a function may keep or freeze its arguments. */
const wrong = (): unknown[] => [undefined, null, 1, true, "", {}, [], [null], () => {}];
/** Returns first arguments that precede a wrong second one. */
const first = (): unknown[] => ["", {}, []];
/** A call that takes longer waits for something other than its arguments. */
const WAIT_MS = 200;

/**
 * Calls every function and class that modules export with arguments of wrong types.
 *
 * @returns The calls that threw anything other than an error with a code, such as a `TypeError` of the language; each
 * with its error.
 */
export async function untypedRefusals(modules: readonly object[]): Promise<string[]> {
  const found: string[] = [];
  for (const [name, exported] of modules.flatMap((module) => Object.entries(module))) {
    if (typeof exported !== "function" || exported.prototype instanceof Error) continue;
    for (const args of argumentLists()) {
      const error = await errorOf(exported as (...args: unknown[]) => unknown, args);
      if (error !== undefined && !isTyped(error))
        found.push(`${name}(${args.map(shown).join(", ")}): ${String(error)}`);
    }
  }
  return found;
}

function argumentLists(): unknown[][] {
  const second = first().flatMap((_, place) => wrong().map((value) => [first()[place], value]));
  return [[], ...wrong().map((value) => [value]), ...second];
}

async function errorOf(called: (...args: unknown[]) => unknown, args: readonly unknown[]): Promise<unknown> {
  try {
    const result = isClass(called) ? Reflect.construct(called, args) : called(...args);
    await Promise.race([result, new Promise((resolve) => setTimeout(resolve, WAIT_MS).unref())]);
    return undefined;
  } catch (error) {
    return error;
  }
}

function isClass(called: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(called));
}

/** Codes that begin with `ERR_` are Node's: such an error comes from inside. */
function isTyped(error: unknown): boolean {
  const code: unknown = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" && !code.startsWith("ERR_");
}

function shown(value: unknown): string {
  return typeof value === "function" ? "a function" : (JSON.stringify(value) ?? "undefined");
}
