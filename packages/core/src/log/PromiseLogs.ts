/** Receives logs for programs that don't use Effect: the Promise API of `LogStream`. */
import { type Layer as LayerOf, merge } from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Abortable, type Closable, demandTransport, start } from "../client/Running.ts"
import { optionsAre, readable } from "../edge.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { Streams } from "../engine/Streams.ts"
import type { Listening, LogEntry, LogSettings } from "./LogStream.ts"

/** A receiver that listens: entries by `for await`, which ends when it is closed, after those that wait. */
export interface PromiseLogReceiver extends AsyncIterable<LogEntry>, Closable, Listening {}

/** As {@link LogOptions}; the secret as plain text, which is wrapped at once. */
export interface PromiseLogOptions extends LogSettings, Abortable {
  readonly secret?: string | undefined
}

/** A `logs` over one runtime's UDP, and its TCP for `http`. It rejects with a `LogError`. */
export const logsWith =
  (datagrams: LayerOf<Datagrams>, streams?: LayerOf<Streams>) =>
  async (options?: PromiseLogOptions): Promise<PromiseLogReceiver> => {
    for (const one of streams === undefined ? [] : [datagrams, streams]) demandTransport(one)
    const { secret, signal: _, ...others } = Result.getOrThrow(readable(() => ({ ...optionsAre(options) })))
    const given = { ...others, secret: typeof secret === "string" ? Redacted.make(secret) : secret }
    const [{ make }, { iterate }] = await Promise.all([import("./LogStream.ts"), import("../client/iterate.ts")])
    const { closable, value } = await start(
      "The log receiver",
      streams === undefined ? datagrams : merge(datagrams, streams),
      make(given),
      options
    )
    const { counters, entries, local } = value
    return { local, counters, [Symbol.asyncIterator]: () => iterate(entries), ...closable }
  }
