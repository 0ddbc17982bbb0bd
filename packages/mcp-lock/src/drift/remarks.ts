import { isJsonObject } from "@agentprint/canonical-json";
import {
  type Era,
  itemName,
  type ListName,
  type SessionName,
  UNREAD_LISTS,
  type UnreadList,
  type View,
} from "@agentprint/mcp";
import { readHeaderAnnotations } from "@agentprint/mcp/headers";
import type { LockedServer } from "../lock/lock.ts";
import { type ComparedState, stateOfSession } from "./compared-state.ts";
import { withoutProtocolParts } from "./diff-servers.ts";
import { diffStates } from "./diff-states.ts";
import type { Drift, Remark } from "./drift.ts";
import { firstVersionRemarks } from "./first-version-remarks.ts";
import type { Judge } from "./judge.ts";

/** The lists, by the capability that declares them. */
const DECLARED_BY: readonly (readonly [list: ListName, capability: string])[] = [
  ["tools", "tools"],
  ["prompts", "prompts"],
  ["resources", "resources"],
  ["resourceTemplates", "resources"],
];

/**
 * Returns the remarks about a server, whether it changed or not. No outcome depends on them.
 *
 * @param accepted - The entry that a reviewer accepted; remarks about a first version cover only definitions that this
 * entry does not hold.
 */
export function findRemarks(server: LockedServer, judge: Judge, accepted?: LockedServer): Remark[] {
  const ofEras = pairs(server, (_era, view) => [`legacy/${view}`, `modern/${view}`]);
  const ofViews = pairs(server, (era) => [`${era}/client`, `${era}/bare`]);
  return [
    ...divergences("era-divergence", ofEras, judge),
    ...divergences("client-divergence", ofViews, judge),
    ...UNREAD_LISTS.flatMap((list) => unreadList(server, list)),
    ...undeclaredLists(server),
    ...server.tools.flatMap(({ definition }): Remark[] =>
      readHeaderAnnotations(definition["inputSchema"]).invalid.map((problem) => ({
        type: "invalid-tool-header",
        name: itemName("tool", definition),
        pointer: `/inputSchema${problem.pointer}`,
        reason: problem.reason,
      })),
    ),
    ...firstVersionRemarks(server, accepted),
    ...(server.unstable ?? []).map((pointer) => ({ type: "unstable-member", pointer }) as const),
    ...varyingMembers(server),
  ];
}

/** Returns a remark about each member that an entry allows to vary. */
export function varyingMembers({ varies = [] }: Pick<LockedServer, "varies">): Remark[] {
  return varies.map((member) => ({ type: "varying-member", member }));
}

interface Pair {
  readonly sessions: readonly [SessionName, SessionName];
  readonly states: readonly [ComparedState, ComparedState];
}

function pairs(server: LockedServer, pairOf: (era: Era, view: View) => [SessionName, SessionName]): Pair[] {
  const names = new Set(server.sessions.map(({ session }) => session));
  const wanted = new Map(
    [...names].map((session) => {
      const [era, view] = session.split("/") as [Era, View];
      const pair = pairOf(era, view);
      return [pair.join(" "), pair];
    }),
  );
  return [...wanted.values()]
    .filter((pair) => pair.every((session) => names.has(session)))
    .map((sessions) => ({
      sessions,
      states: [
        withoutProtocolParts(stateOfSession(server, sessions[0])),
        withoutProtocolParts(stateOfSession(server, sessions[1])),
      ],
    }));
}

/**
 * Returns the differences between the two sessions of each pair; a difference that several pairs share is one remark.
 */
function divergences(type: "era-divergence" | "client-divergence", all: readonly Pair[], judge: Judge): Remark[] {
  const found = new Map<string, { drift: Drift; between: [SessionName, SessionName][] }>();
  for (const { sessions, states } of all) {
    for (const drift of diffStates(...states, judge)) {
      const key = JSON.stringify(drift);
      const same = found.get(key) ?? { drift, between: [] };
      same.between.push([...sessions]);
      found.set(key, same);
    }
  }
  return [...found.values()].map(({ drift, between }) => ({ type, drift, between }));
}

function unreadList({ sessions }: LockedServer, list: UnreadList): Remark[] {
  const failed = sessions.filter(({ unread }) => unread?.includes(list)).map(({ session }) => session);
  return failed.length === 0 ? [] : [{ type: "unread-list", list, sessions: failed }];
}

/**
 * Returns remarks about lists that have items although the server did not declare them, because some clients request
 * such lists too.
 */
function undeclaredLists(server: LockedServer): Remark[] {
  return DECLARED_BY.flatMap(([list, capability]): Remark[] => {
    const sessions = server.sessions
      .map(({ session }) => session)
      .filter((session) => {
        const state = stateOfSession(server, session);
        const { capabilities } = state.parts;
        return state[list].length > 0 && isJsonObject(capabilities) && !Object.hasOwn(capabilities, capability);
      });
    return sessions.length === 0 ? [] : [{ type: "undeclared-list", list, sessions }];
  });
}
