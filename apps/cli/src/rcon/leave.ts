/** Lines that end the session. The same words on a server's console stop the server. */

const LEAVE = /^\s*(?:exit|quit)\s*;?\s*$/i

/** Whether a typed, piped or read line ends the session instead of being sent. */
export const isQuit = (line: string): boolean => LEAVE.test(line)
