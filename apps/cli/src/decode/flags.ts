/** The flags of `sourcewire decode`. */
import * as options from "../options.ts"

export const flags = {
  hex: options.rest(
    "hex",
    "A datagram as hex in any spelling (spaces, \\x, 0x, a dump of xxd), as escaped text or as base64; the fragments of a split reply as several arguments. Without arguments: lines of standard input"
  ),
  json: options.json,
  explain: options.on(
    "Explain each conversation instead of listing its messages: findings with severity, hint and bytes"
  ),
  tree: options.on("Show every field with its offset and bytes"),
  pcap: options.text("FILE", "Decode a capture (pcap or pcapng; -: standard input), one line per message"),
  server: options.text("HOST[:PORT]", "With --pcap: only messages to or from this server"),
  type: options.text("NAME", "With --pcap: only messages of this type, as in S2A_INFO_SRC"),
  errors: options.on("With --pcap: only truncated and malformed messages"),
  text: options.text("WORDS", "With --pcap: only messages whose line contains all of these words"),
  conversation: options.optionalCountOr(
    "list",
    "With --pcap: only this conversation; without a number, the list of conversations"
  ),
  showPasswords: options.on("With --pcap: show RCON passwords and the secrets of logs (default: masked)"),
  encoding: options.encoding
}

export type DecodeSettings = options.Settings<typeof flags>
