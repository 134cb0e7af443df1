/** Runs `sourcewire log`: prints each log line when it arrives. */
import { type LogEntry, formatAddress, logs as receiveLogs } from "@sourcewire/core"
import { type LogCounters, LogEntry as LogText } from "@sourcewire/core/log"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { isLoopback, parseBind } from "../bind.ts"
import { UsageError } from "../exitCode.ts"
import { readSecretFile } from "../files/secretFile.ts"
import { type Palette, colouredLine } from "../output/text.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { byteSize, plural, some } from "../view/quantities.ts"
import type { LogSettings } from "./flags.ts"

const formatEndpoint = ({ address, port }: { readonly address: string; readonly port: number }): string =>
  formatAddress({ host: address, port })

const entryJson = ({
  format,
  line,
  lineHex,
  missedBytes,
  origin,
  receivedAtMs,
  sender,
  text,
  time
}: LogEntry): string =>
  jsonLine({
    address: formatEndpoint(sender),
    ok: true,
    receivedAt: new Date(receivedAtMs).toISOString(),
    format,
    time: time === undefined ? undefined : LogText.formatTime(time),
    text,
    line,
    lineHex,
    origin,
    missedBytes
  })

const entryLine = ({ missedBytes, sender, text, time }: LogEntry, palette: Palette): string => {
  const gap =
    missedBytes === undefined ? "" : `${palette.warning(`! ${byteSize(missedBytes)} of the log are missing here.`)}\n`
  const when = time === undefined ? "(no time)" : LogText.formatTime(time).replace("T", " ")
  return `${gap}${palette.faint(`${when}  ${formatEndpoint(sender)}`)}  ${colouredLine(text, palette)}`
}

const summary = (counters: LogCounters, http: boolean): string => {
  const { accepted, dropped, duplicates, missedBytes, notALog, wrongSecret, wrongSender } = counters
  return some(
    plural(accepted, "line"),
    dropped > 0 && `${dropped} dropped, because they arrived faster than they could be printed`,
    duplicates > 0 && `${plural(duplicates, "post")} sent again`,
    missedBytes > 0 && `${byteSize(missedBytes)} missing`,
    wrongSender > 0 && `${wrongSender} from other senders`,
    wrongSecret > 0 && `${wrongSecret} with a wrong secret`,
    notALog > 0 && `${plural(notALog, http ? "other request" : "other datagram")}`
  ).join(", ")
}

/**
 * Lists the address on which the program listens, and the commands with which a game server posts its log over HTTP to this address. The
 * secret is not shown.
 */
const httpHints = ({ address, port }: { readonly address: string; readonly port: number }, hasSecret: boolean) => {
  const host = address === "0.0.0.0" || address === "::" ? "ADDRESS" : address
  return [
    `Listening on ${formatEndpoint({ address, port })} (HTTP). On the server:`,
    "  log on",
    `  logaddress_add_http "http://${formatEndpoint({ address: host, port })}/${hasSecret ? "SECRET" : ""}"`
  ]
}

/**
 * Lists the address on which the program listens. Also lists the commands that make a game server send its log over UDP to this address,
 * for each engine.
 */
const hints = ({ address, port }: { readonly address: string; readonly port: number }): ReadonlyArray<string> => {
  // A server cannot send to the wildcard address. Therefore the user must replace `ADDRESS` with an address of this host.
  const host = address === "0.0.0.0" || address === "::" ? "ADDRESS" : address
  return [
    `Listening on ${formatEndpoint({ address, port })}. On the server:`,
    `  logaddress_add ${formatEndpoint({ address: host, port })}    Source`,
    `  logaddress_add ${host} ${port}    HLDS, ReHLDS`,
    `  logaddress ${host} ${port}        Xash3D`,
    "Counter-Strike 2 sends no log over UDP: use --http. Left 4 Dead 2 sends no log over the network."
  ]
}

export const runLog = Effect.fnUntraced(
  function* (settings: LogSettings) {
    const { err, notes, out } = yield* Output
    const bind = yield* Effect.fromResult(parseBind(settings.bind, 27_500))
    if (settings.tokens.length > 0 && !settings.http) return yield* new UsageError("--token requires --http.")
    const secret = settings.secretFile === undefined ? undefined : yield* readSecretFile(settings.secretFile, "secret")
    const receiver = yield* receiveLogs({
      ...bind,
      http: settings.http,
      tokens: settings.tokens.length === 0 ? undefined : settings.tokens,
      from: settings.from.length === 0 ? undefined : settings.from,
      secret,
      encoding: settings.encoding,
      showPasswords: settings.showPasswords
    })
    const where = formatEndpoint(receiver.local)
    if (settings.json) yield* out.line(jsonLine({ listening: where }))
    else {
      const lines = settings.http ? httpHints(receiver.local, secret !== undefined) : hints(receiver.local)
      yield* notes.line(...lines.map(notes.palette.faint))
    }
    if (!isLoopback(bind.host) && settings.from.length + settings.tokens.length === 0 && secret === undefined) {
      yield* err.line(
        err.palette.warning("Any host that can reach this port can forge log lines. Use --from, --secret-file or both.")
      )
    }
    const entries = settings.count === 0 ? receiver.entries : Stream.take(receiver.entries, settings.count)
    yield* Stream.runForEach(entries, (entry) =>
      out.line(settings.json ? entryJson(entry) : entryLine(entry, out.palette))
    ).pipe(Effect.ensuring(Effect.suspend(() => notes.line(summary(receiver.counters(), settings.http)))))
  },
  Effect.scoped,
  Effect.provide(layer)
)
