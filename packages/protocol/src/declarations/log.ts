/** Log lines, which a server sends to the addresses that were added with the command `logaddress_add`. */
import type { Declarations, Element } from "./Declaration.ts"

const line: Element = {
  kind: "text",
  name: "line",
  unterminated: "fine",
  doc: 'The unchanged line with a newline at its end, for example `L 06/28/2025 - 08:42:47: World triggered "Round_Start"`.'
}

export const log: Declarations = {
  LogLine: {
    valve: "S2A_LOGSTRING",
    direction: "reply",
    doc: "A line of a Source server's log.",
    sources: "captures of log lines",
    fields: [line]
  },
  SecretLogLine: {
    valve: "S2A_LOGSTRING2",
    direction: "reply",
    doc: "A log line of a Source server that sets `sv_logsecret`. The secret proves the origin of the line.",
    sources: "captures of log lines",
    secret: true,
    fields: [{ kind: "decimal", name: "secret", doc: "The value of `sv_logsecret`." }, line]
  },
  GoldSourceLogLine: {
    valve: "log",
    direction: "reply",
    doc: "A line of a GoldSource server's log: the text command `log` and the line.",
    sources: "captures of log lines",
    fields: [{ kind: "literal", name: "command", text: "log ", doc: "The command." }, line]
  }
}
