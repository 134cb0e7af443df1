/**
 * Messages for users about a failing store. These messages do not quote the messages of the database, which contain the database's address
 * or an error code. The messages of the database are written only to the operator's log.
 */

/** The store cannot be written. */
export const STORE_TROUBLE =
  "The monitor cannot write to its store. It keeps new history in memory until it can write again. The reason is in the monitor's log."

/** The store cannot be read. */
export const STORE_UNREADABLE =
  "The monitor cannot read its store now. Try again in a minute. The reason is in the monitor's log."
