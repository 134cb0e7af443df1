/**
 * Recognizes replies of RCON over UDP that are not the output of a command: refusals and echoes. This module also detects whether a reply
 * is from HLTV.
 */
import { HEADER_BYTES } from "@sourcewire/protocol/wire"
import { AuthenticationFailed, Refused } from "../engine/QueryError.ts"

/** The argument of `echo`. `echo` works on every engine, and changes nothing on the server. */
export const ECHO_WORD = "sourcewire"

/**
 * The command of the log-in. The session also sends this `echo` if HLTV has not replied to a command. A reply to the `echo` shows that HLTV
 * processes commands, so the earlier command probably has no output.
 */
export const ECHO_COMMAND = `echo ${ECHO_WORD}`

/** Whether a text is the reply to {@link ECHO_COMMAND}. Engines differ in the white space after the word. */
export const isEcho = (text: string): boolean => text.trim() === ECHO_WORD

const BAD_PASSWORD = /^Bad rcon_password\.\s*(No password set for this server\.\s*)?$/
/**
 * Matches the refusal of a password by Xash3D or Quake 3. Old versions of Xash3D put a colour code before the text, and Quake 3 writes
 * `rconpassword` without an underscore.
 */
const BAD_QUAKE_PASSWORD = /^(?:\^\d|Error: )*(?:Bad rcon_?password|No rcon_?password set)\.?\s*$/
const BANNED = /^You have been banned from this server\.\s*$/
const BAD_CHALLENGE = /^(No challenge for your address|Bad challenge)\.?\s*$/

/** Whether a text rejects the challenge of a command. A server that sends such a text has not run the command. */
export const isBadChallenge = (text: string): boolean => BAD_CHALLENGE.test(text)

const onOneLine = (text: string): string => text.trim().replaceAll("\n", " ")

/** The error for a text that refuses the password; `undefined` for any other text. */
export const refusedPassword = (text: string, dialect: "goldsource" | "quake"): AuthenticationFailed | undefined => {
  if (!(dialect === "quake" ? BAD_QUAKE_PASSWORD : BAD_PASSWORD).test(text)) return undefined
  const line = onOneLine(text)
  return new AuthenticationFailed({ message: `The server refused the RCON password: ${line}`, text: line })
}

/**
 * The error for a text that reports a ban; `undefined` for any other text. A server sends this text in reply to every request from a banned
 * address.
 */
export const banned = (text: string): Refused | undefined => {
  if (!BANNED.test(text)) return undefined
  const line = onOneLine(text)
  return new Refused({
    message: `The server has banned this address ("${line}"). To lift the ban, use removeip in the server's console, or wait until sv_rcon_banpenalty is over.`,
    text: line
  })
}

/**
 * Whether the end of an A2C_PRINT shows that the server is HLTV. HLTV sends one NUL after the text, or fills the datagram with NULs up to
 * 1400 bytes. HLDS sends two NULs. `textBytes` is the length of the text.
 */
export const isHltvPrint = (datagram: Uint8Array, textBytes: number): boolean =>
  datagram.length !== HEADER_BYTES + 1 + textBytes + 2

/**
 * Removes the stray byte that HLTV sends before each text. This byte is uninitialized memory: either 0xFF or NUL. If the byte is NUL, the
 * text after this byte is lost: the decoder stops at the NUL and returns an empty text.
 */
export const removeStrayByte = (text: string): string => (text.startsWith("\xff") ? text.slice(1) : text)
