/** Recognizes whether the input of the user consists of server addresses or of bytes. */
import { hasProtocolHead, readText } from "@sourcewire/capture"
import { addressesIn, complaintAbout } from "../query/listing.ts"

/** Matches the beginning of a link or a console command that users copy together with an address. */
const LEAD = /^(?:steam:\/\/connect\/|connect\s+)/i

/**
 * Maximum length in characters of a text that is checked for addresses. The user must paste longer lists of addresses in the view Browser.
 */
const MAX_CHARACTERS = 200_000

/** The addresses in a text. If the text is too long, or contains anything other than addresses, the result is empty. */
export const parseAddresses = (text: string): ReadonlyArray<string> => {
  if (text.length > MAX_CHARACTERS) return []
  const lines = text.split("\n").map((line) => line.trim().replace(LEAD, "").replace(/\/$/, ""))
  const words = addressesIn(lines.join("\n"))
  if (words.length === 0 || words.some((word) => complaintAbout(word) !== undefined)) return []
  // Bytes in hex with colons can look like an IPv6 address. Therefore, if the text can be read as datagrams of Valve's query protocol, the
  // result is empty.
  const read = readText(text)
  return read.ok && read.datagrams.some(({ bytes }) => hasProtocolHead(bytes)) ? [] : words
}
