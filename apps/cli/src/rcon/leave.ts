/**
 * Recognizes the lines `quit` and `exit`. Without `--allow-quit`, these lines end the session and are not sent, because a server that
 * receives one of these commands stops.
 */

const LEAVE = /^\s*(?:exit|quit)\s*;?\s*$/i

export const isQuit = (line: string): boolean => LEAVE.test(line)
