/** `sourcewire decode`: decodes datagrams. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const decode = command({
  group: "Develop",
  description: "Decode datagrams from arguments, standard input or a capture file",
  examples: {
    "sourcewire decode ffffffff414ba1d522": "Decode a challenge",
    "sourcewire decode --tree 'FF FF FF FF 41 4B A1 D5 22'": "Show every field of the datagram",
    "sourcewire decode --json < messages.txt": "Decode a file with one message per line",
    "sourcewire decode --pcap capture.pcapng": "List the messages of a capture",
    "sourcewire decode --pcap capture.pcapng --server 192.0.2.7:27015 --errors":
      "List the truncated and malformed messages of one server",
    "sourcewire decode --pcap capture.pcapng --explain": "Explain why queries in a capture failed",
    "sourcewire decode --pcap capture.pcapng --conversation 3 --tree": "Show every field of the third conversation"
  },
  flags,
  load: async () => (await import("./runDecode.ts")).runDecode
})
