/**
 * Messages for readers about a failing store. The database's own message contains its address or an error code, so only the operator's log
 * has it.
 */

/** The store cannot be written. */
export const STORE_TROUBLE =
  "The monitor cannot write to its store. New history is kept in memory until it can. The reason is in the monitor's log."

/** The store cannot be read. */
export const STORE_UNREADABLE =
  "The monitor cannot read its store now. Try again in a minute. The reason is in the monitor's log."
