/** Recognizes the lines `quit` and `exit`, which end the session. If the program sent these lines to the server, the server would stop. */

const LEAVE = /^\s*(?:exit|quit)\s*;?\s*$/i

export const isQuit = (line: string): boolean => LEAVE.test(line)
