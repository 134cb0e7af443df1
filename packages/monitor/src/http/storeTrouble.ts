/**
 * Messages for users about a failing store. An error of the database can contain the address of the database or an error code.
 * Therefore these messages do not quote the error. The error is written only to the operator's log.
 */

/** The message if the store cannot be written. */
export const STORE_TROUBLE =
  "The monitor cannot write to its store. It keeps new history in memory until it can write again. The reason is in the monitor's log."

/** The message if the store cannot be read. */
export const STORE_UNREADABLE =
  "The monitor cannot read its store now. Try again in a minute. The reason is in the monitor's log."
