import { VisitError } from "../errors.ts";

/** Settles as `promise` does, or rejects with `server-timeout` if that takes longer than `milliseconds`. */
export async function withDeadline<T>(
  promise: Promise<T>,
  milliseconds: number,
  doing: string,
  setting: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new VisitError("server-timeout", `the server did not finish ${doing} in time`, {
          expected: `an answer within ${milliseconds / 1000} s`,
          fix: `raise ${setting} under visits in agentprint.config.json if the server is only slow`,
        }),
      );
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
