/** Receives logs for programs that don't use Effect: the Promise API of `LogStream`. */
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Abortable, type Closable, start } from "../client/Running.ts"
import { optionsAre, readable } from "../edge.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { Listening, LogEntry, LogSettings } from "./LogStream.ts"

/** A receiver that listens: entries by `for await`, which ends when it is closed, after those that wait. */
export interface PromiseLogReceiver extends AsyncIterable<LogEntry>, Closable, Listening {}

/** As {@link LogOptions}; the secret as plain text, which is wrapped at once. */
export interface PromiseLogOptions extends LogSettings, Abortable {
  readonly secret?: string | undefined
}

/** A `logs` over one runtime's UDP. It rejects with a `LogError`. */
export const logsWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  async (options?: PromiseLogOptions): Promise<PromiseLogReceiver> => {
    const { secret, ...others } = Result.getOrThrow(readable(() => ({ ...optionsAre(options) })))
    const given = { ...others, secret: typeof secret === "string" ? Redacted.make(secret) : secret }
    const [{ make }, { iterate }] = await Promise.all([import("./LogStream.ts"), import("../client/iterate.ts")])
    const { closable, value } = await start("The log receiver", datagrams, make(given), options)
    const { counters, entries, local } = value
    return { local, counters, [Symbol.asyncIterator]: () => iterate(entries), ...closable }
  }
