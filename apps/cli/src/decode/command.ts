/** `sourcewire decode`: takes datagrams apart. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

/** What `--conversation` alone stands for. */
export const LIST = 0

const flags = {
  hex: options.rest(
    "hex",
    "A datagram as hex in any spelling (blanks, \\x, 0x, a dump of xxd), as escaped text or as base64; the fragments of one reply side by side. Without any, lines of standard input"
  ),
  json: options.json,
  tree: options.on("Show every field with its place in the datagram"),
  pcap: options.text(
    "FILE",
    "Read a capture (pcap or pcapng, - is standard input) and show a line for each message in it, with seconds since the first"
  ),
  server: options.text("HOST[:PORT]", "Of a capture, only what this host sent or got"),
  type: options.text("NAME", "Of a capture, only messages of this name, as in S2A_INFO_SRC"),
  errors: options.on("Of a capture, only messages that are not whole or cannot be read"),
  text: options.text("WORDS", "Of a capture, only messages with all of these words in their line"),
  conversation: options.optionalCount("Of a capture, only this conversation; without a number, the list of them", {
    least: 0,
    alone: LIST
  }),
  encoding: options.encoding
}

export type DecodeSettings = options.Settings<typeof flags>

export const decode = command({
  description: "Take datagrams apart: from arguments, standard input or a capture file",
  examples: {
    "sourcewire decode ffffffff414ba1d522": "A challenge",
    "sourcewire decode --tree 'FF FF FF FF 41 4B A1 D5 22'": "The same, field by field",
    "sourcewire decode --json < messages.txt": "One message per line",
    "sourcewire decode --pcap capture.pcapng": "Every message of a capture, a line each",
    "sourcewire decode --pcap capture.pcapng --server 192.0.2.7:27015 --errors": "What went wrong with one server",
    "sourcewire decode --pcap capture.pcapng --conversation 3 --tree":
      "The third conversation, field by field; without the 3, the list of them"
  },
  flags,
  load: async () => (await import("./runDecode.ts")).runDecode
})
