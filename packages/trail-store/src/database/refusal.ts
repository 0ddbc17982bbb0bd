/** The message of a trigger that refuses a change. It is part of the triggers in every store, so it must not change. */
export const REFUSAL = "trail: records are only ever added, each behind the head of its task";
/** The SQLSTATE of that message. */
export const REFUSED = "TR001";
/** The body of a PostgreSQL trigger that refuses any change. */
export const REFUSING: string = `begin raise exception '${REFUSAL}' using errcode = '${REFUSED}'; end`;

/** A trigger, rule or constraint in the form in which it is compared. */
export interface Guard {
  readonly name: string;
  readonly definition: string;
}
