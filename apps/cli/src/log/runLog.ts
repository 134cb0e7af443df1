/** Prints log lines as they arrive: the work of `sourcewire log`. */
import { type LogEntry, formatAddress, logs as receiveLogs } from "@sourcewire/core"
import { type LogCounters, LogEntry as LogText } from "@sourcewire/core/machines"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { isLoopback, parseBind } from "../bind.ts"
import { readSecretFile } from "../files/secretFile.ts"
import { type Palette, colouredLine } from "../output/text.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { plural, some } from "../view/quantities.ts"
import type { LogSettings } from "./command.ts"

const nameOf = ({ address, port }: { readonly address: string; readonly port: number }): string =>
  formatAddress({ host: address, port })

const entryJson = ({ format, line, lineHex, receivedAtMs, sender, text, time }: LogEntry): string =>
  jsonLine({
    address: nameOf(sender),
    ok: true,
    receivedAt: new Date(receivedAtMs).toISOString(),
    format,
    time: time === undefined ? undefined : LogText.formatTime(time),
    text,
    line,
    lineHex
  })

const entryLine = ({ sender, text, time }: LogEntry, palette: Palette): string => {
  const when = time === undefined ? "(no time)" : LogText.formatTime(time).replace("T", " ")
  return `${palette.faint(`${when}  ${nameOf(sender)}`)}  ${colouredLine(text, palette)}`
}

const summary = (counters: LogCounters): string => {
  const { accepted, dropped, notALog, wrongSecret, wrongSender } = counters
  return some(
    plural(accepted, "line"),
    dropped > 0 && `${dropped} came faster than they could be printed`,
    wrongSender > 0 && `${wrongSender} from others`,
    wrongSecret > 0 && `${wrongSecret} without the right secret`,
    notALog > 0 && `${notALog} were no log lines`
  ).join(", ")
}

/** Where it listens, and what to tell the server: each engine wants it put in another way. */
const hints = ({ address, port }: { readonly address: string; readonly port: number }): ReadonlyArray<string> => {
  // Nobody can send to "any address".
  const host = address === "0.0.0.0" || address === "::" ? "ADDRESS" : address
  return [
    `Listening on ${nameOf({ address, port })}. On the server:`,
    `  logaddress_add ${nameOf({ address: host, port })}    Source`,
    `  logaddress_add ${host} ${port}    HLDS, ReHLDS`,
    `  logaddress ${host} ${port}        Xash3D`
  ]
}

export const runLog = Effect.fnUntraced(
  function* (settings: LogSettings) {
    const { err, out } = yield* Output
    const bind = yield* Effect.fromResult(parseBind(settings.bind))
    const secret = settings.secretFile === undefined ? undefined : yield* readSecretFile(settings.secretFile, "secret")
    const receiver = yield* receiveLogs({
      ...bind,
      from: settings.from.length === 0 ? undefined : settings.from,
      secret,
      encoding: settings.encoding,
      showPasswords: settings.showPasswords
    })
    const where = nameOf(receiver.local)
    if (settings.json) yield* out.line(jsonLine({ listening: where }))
    else yield* err.line(...hints(receiver.local).map(err.palette.faint))
    if (!isLoopback(bind.host) && settings.from.length === 0 && secret === undefined) {
      yield* err.line(
        err.palette.warning("Anybody who reaches this port can forge lines: give --from, --secret-file or both.")
      )
    }
    const entries = settings.count === 0 ? receiver.entries : Stream.take(receiver.entries, settings.count)
    yield* Stream.runForEach(entries, (entry) =>
      out.line(settings.json ? entryJson(entry) : entryLine(entry, out.palette))
    ).pipe(Effect.ensuring(Effect.suspend(() => err.line(summary(receiver.counters())))))
  },
  Effect.scoped,
  Effect.provide(layer)
)
