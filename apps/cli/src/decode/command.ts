/** `sourcewire decode`: takes datagrams apart. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const flags = {
  hex: options.rest(
    "hex",
    "A datagram as hex in any spelling (blanks, \\x, 0x, a dump of xxd), as escaped text or as base64; the fragments of one reply side by side. Without any, lines of standard input"
  ),
  json: options.json,
  tree: options.on("tree", "Show every field with its place in the datagram"),
  pcap: options.text(
    "pcap",
    "FILE",
    "Read a capture (pcap or pcapng, - is standard input) and show each message in it"
  ),
  encoding: options.encoding
}

/** What the command line says. */
export type DecodeSettings = options.Settings<typeof flags>

/** The command. */
export const decode = command(
  {
    name: "decode",
    description: "Take datagrams apart: from arguments, standard input or a capture file",
    examples: [
      { command: "sourcewire decode ffffffff414ba1d522", description: "A challenge" },
      { command: "sourcewire decode --tree 'FF FF FF FF 41 4B A1 D5 22'", description: "The same, field by field" },
      { command: "sourcewire decode --json < messages.txt", description: "One message per line" },
      { command: "sourcewire decode --pcap capture.pcapng", description: "Every message of a capture" }
    ],
    flags
  },
  async () => (await import("./runDecode.ts")).runDecode
)
