/** What the texts of RCON over UDP say beside a command's output: refusals, and whose habits the server has. */
import { HEADER_BYTES } from "@sourcewire/protocol/wire"
import { AuthenticationFailed, Refused } from "../engine/QueryError.ts"

/** A word that a server is told to echo: every engine can, and nothing comes of it. */
export const ECHO_WORD = "sourcewire"

/** The command for it. It logs in, and follows a command that meets silence on HLTV, where it shows that the command was heard. */
export const ECHO_COMMAND = `echo ${ECHO_WORD}`

/** Whether a text is the answer to {@link ECHO_COMMAND}: the engines differ in the blanks behind it. */
export const isEcho = (text: string): boolean => text.trim() === ECHO_WORD

const BAD_PASSWORD = /^Bad rcon_password\.\s*(No password set for this server\.\s*)?$/
/** Xash3D of former years colours it, Quake 3 leaves the underscore out. */
const BAD_QUAKE_PASSWORD = /^(?:\^\d|Error: )*(?:Bad rcon_?password|No rcon_?password set)\.?\s*$/
const BANNED = /^You have been banned from this server\.\s*$/
const BAD_CHALLENGE = /^(No challenge for your address|Bad challenge)\.?\s*$/

/** Whether a server disowns the challenge that came with a command; it has not run it. */
export const isBadChallenge = (text: string): boolean => BAD_CHALLENGE.test(text)

const onOneLine = (text: string): string => text.trim().replaceAll("\n", " ")

/** The error that a text in place of a command's output stands for. */
export const refusedPassword = (text: string, dialect: "goldsource" | "quake"): AuthenticationFailed | undefined => {
  if (!(dialect === "quake" ? BAD_QUAKE_PASSWORD : BAD_PASSWORD).test(text)) return undefined
  const said = onOneLine(text)
  return new AuthenticationFailed({ message: `The server refused the RCON password: ${said}`, text: said })
}

/** The error of a server that has banned us, which says so to every packet. */
export const banned = (text: string): Refused | undefined => {
  if (!BANNED.test(text)) return undefined
  const said = onOneLine(text)
  return new Refused({
    message: `The server has banned this address ("${said}"). To lift the ban, use removeip in the server's console, or wait until sv_rcon_banpenalty is over.`,
    text: said
  })
}

/**
 * Whether an A2C_PRINT with a text of this length ends as HLTV's do: not by HLDS's two NULs, but by one, or filled with them up
 * to 1400 bytes.
 */
export const isHltvPrint = (datagram: Uint8Array, textBytes: number): boolean =>
  datagram.length !== HEADER_BYTES + 1 + textBytes + 2

/** HLTV puts a byte of uninitialised memory before each text: 0xFF, or a NUL, which loses the text. */
export const withoutStray = (text: string): string => (text.startsWith("\xff") ? text.slice(1) : text)
