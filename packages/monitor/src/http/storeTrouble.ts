/**
 * What readers learn of a store that fails. The sentence of the database has its address or an error code in it, and is for the operator's
 * log alone.
 */

/** It cannot be written. */
export const STORE_TROUBLE =
  "The monitor cannot write to its store. It keeps new history in memory meanwhile. The reason is in the monitor's log."

/** It cannot be read. */
export const STORE_UNREADABLE =
  "The monitor cannot read its store now. Try again in a minute. The reason is in the monitor's log."
