/** The flags of `sourcewire decode`. */
import * as options from "../options.ts"

export const flags = {
  hex: options.rest(
    "hex",
    "Datagram as hex (with or without spaces, \\x or 0x; also a dump of xxd), as escaped text or as base64. For a split reply, give each fragment as an argument (default: lines of standard input)"
  ),
  json: options.json,
  explain: options.on(
    "Explain each conversation instead of listing its messages: findings with severity, hint and bytes"
  ),
  tree: options.on("Show every field with its offset and bytes"),
  pcap: options.text("FILE", "Decode a capture (pcap or pcapng; -: standard input), one line per message"),
  server: options.text("HOST[:PORT]", "With --pcap: only messages to or from this server"),
  type: options.text("NAME", "With --pcap: only messages of this type, such as S2A_INFO_SRC"),
  errors: options.on("With --pcap: only truncated and malformed messages"),
  text: options.text("WORDS", "With --pcap: only messages whose line contains all of these words"),
  conversation: options.optionalCountOr(
    "list",
    "With --pcap: only conversation N; without a number, a list of the conversations"
  ),
  showPasswords: options.on("With --pcap: show RCON passwords and log secrets (default: masked)"),
  encoding: options.encoding
}

export type DecodeSettings = options.Settings<typeof flags>
