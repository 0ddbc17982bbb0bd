/** The members of a Vitest worker's state that are used here. */
interface Worker {
  rpc: object;
}

const UNSENT = "ensureModuleGraphEntry";
const unsent = async (): Promise<void> => {};

/**
 * Skips the message that a worker writes to the main process for every import that Node resolves, which took up to an
 * eighth of the processor time of a test file. Only a watching Vitest needs the message: it fills the graph that leads
 * from a changed module to its tests.
 */
function leaveModuleGraphOut(worker: Worker): void {
  const { rpc } = worker;
  if (Reflect.get(rpc, UNSENT) === unsent) return;
  worker.rpc = new Proxy(rpc, { get: (target, name) => (name === UNSENT ? unsent : Reflect.get(target, name)) });
}

const { __vitest_worker__: worker } = globalThis as { readonly __vitest_worker__?: Worker };
if (worker !== undefined && process.env["VITEST_MODE"] !== "WATCH") leaveModuleGraphOut(worker);
