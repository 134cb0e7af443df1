/** Recognizes lines that end the session. On a server's console, the same words would stop the server. */

const LEAVE = /^\s*(?:exit|quit)\s*;?\s*$/i

/** Whether a line ends the session. Such a line is not sent to the server. */
export const isQuit = (line: string): boolean => LEAVE.test(line)
