import type { Rules } from "@agentprint/findings";

/** The rules of what a check finds in the configurations of clients on this machine. */
export const CLIENT_RULES: Rules<"client/guard-replaced"> = {
  "client/guard-replaced": {
    level: "error",
    summary: "An entry of a client's configuration does not start the guard that `agentprint wrap` put in front of it.",
    help: "Look at the entry, then run `agentprint wrap` again, or `agentprint unwrap` where the guard shall not come back.",
    why: "The client starts the server, or another program, without anybody between them.",
    example: {
      text: "The version of agentprint became an alias of another package.",
      before: "npx -y agentprint@1.0.0 guard files --lock /home/me/app/agentprint.lock -- npx -y files-server@1.2.3 .",
      after:
        "npx -y agentprint@npm:other@1.0.0 guard files --lock /home/me/app/agentprint.lock -- npx -y files-server@1.2.3 .",
    },
    fixedBecause: "a policy decides behind the guard, and not about what stands in its place",
  },
};
