/**
 * Recognizes the lines `quit` and `exit`. A server that receives one of these commands stops. Therefore, without `--allow-quit`, these
 * lines are not sent: they only end the session.
 */

const LEAVE = /^\s*(?:exit|quit)\s*;?\s*$/i

export const isQuit = (line: string): boolean => LEAVE.test(line)
