/** The kind of an event. */
export type EventKind =
  | "answered"
  | "asked"
  | "call"
  | "capabilities"
  | "fault"
  | "gap"
  | "link"
  | "listing"
  | "model-call"
  | "model-result"
  | "passed"
  | "refused"
  | "replaced"
  | "request"
  | "result"
  | "session-end"
  | "session-start";

/** The required members of an event, by kind; kinds that are not listed require none. */
interface RequiredMembers {
  readonly answered: "decision";
  readonly call: "call";
  readonly fault: "reason";
  readonly gap: "lost" | "reason";
  readonly link: "digests";
  readonly "model-call": "call";
  readonly "model-result": "call" | "outcome";
  readonly request: "method";
  readonly result: "call" | "outcome";
  readonly "session-end": "lost";
}

/** How a call ended, or what a guard did with the message. */
export type Outcome = "cancelled" | "changed" | "error" | "held" | "ok" | "passed" | "refused" | "waiting";

/** The members of an event. Texts are recorded exactly as received, whatever characters they contain. */
export interface EventMembers {
  /** The name of the server in the lock. */
  readonly server?: string;
  /** The sender of the message: `client`, `server` or `guard`. */
  readonly from?: string;
  /** The method of the request, for example `tools/call`. */
  readonly method?: string;
  /** The name of the tool. */
  readonly tool?: string;
  /** The id that the events of one call share. */
  readonly call?: string;
  readonly outcome?: Outcome;
  /** The decision: `block`, `freeze`, `pass`, `ask`, or a person's answer. */
  readonly decision?: string;
  /** Who decided or answered. */
  readonly by?: string;
  /** The ids of the rules that have findings. */
  readonly findings?: readonly string[];
  /** Digests by their subject: `arguments`, `result`, `tool`, `lock`, `capabilities`, …; each 64 lowercase hex digits. */
  readonly digests?: Readonly<Record<string, string>>;
  /** The code of an error. */
  readonly code?: number | string;
  /** The reason, in one word: `queue-full`, `session-not-ended`, … */
  readonly reason?: string;
  /** How many events were lost. */
  readonly lost?: number;
  /** The session that a gap is about, if it is not this one. */
  readonly of?: string;
  /** The hash of that session's last record, as 64 lowercase hex digits. */
  readonly head?: string;
  /** The number of bytes of a partial line that were removed from the end of that session. */
  readonly cut?: number;
  /** The `traceparent` of W3C Trace Context. */
  readonly trace?: string;
  /** Further attributes, by their names in OpenTelemetry's conventions. Contents are recorded here, if requested. */
  readonly attributes?: Readonly<Record<string, boolean | number | string>>;
}

type WithRequired<Kind extends EventKind> = Kind extends keyof RequiredMembers
  ? { readonly kind: Kind } & EventMembers & {
        readonly [Name in RequiredMembers[Kind]]-?: NonNullable<EventMembers[Name]>;
      }
  : never;

/**
 * Kinds without required members are combined, so that an event whose kind is a union of such kinds is also accepted.
 */
type EventOf<Kind extends EventKind> =
  | ({ readonly kind: Exclude<Kind, keyof RequiredMembers> } & EventMembers)
  | WithRequired<Kind>;

/** The kinds of events that a recorder creates by itself. */
export type OwnKind = "gap" | "session-end" | "session-start";

/** An event in the form in which it is passed to the recorder. */
export type EventInput = EventOf<Exclude<EventKind, OwnKind>>;

/** An event in the form in which it is recorded. */
export type RecordedEvent = EventOf<EventKind> & {
  /** Who acted. Unlike the record's `agent_id`, this cannot be changed without a trace. */
  readonly agent: string;
  /** The recorder's session. */
  readonly session: string;
  /** The number of the event in its session, starting at 0; lost events have numbers too. */
  readonly sequence: number;
};
