/** The Promise API of `LogStream`, for programs that do not use Effect. */
import { type Layer as LayerOf, merge } from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Abortable, type Closable, demandTransport, start } from "../client/Running.ts"
import { optionsAre, readable } from "../edge.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { Streams } from "../engine/Streams.ts"
import type { Listening, LogEntry, LogSettings } from "./LogStream.ts"

/**
 * A running receiver. Read the entries with `for await`. After `close`, the loop first returns the entries that were received before
 * `close`, and then ends.
 */
export interface PromiseLogReceiver extends AsyncIterable<LogEntry>, Closable, Listening {}

/** Like {@link LogOptions}, but the secret is plain text. */
export interface PromiseLogOptions extends LogSettings, Abortable {
  readonly secret?: string | undefined
}

/**
 * Creates the `logs` function of a runtime. `datagrams` provides the runtime's UDP sockets, and `streams` provides the runtime's TCP
 * connections. Without `streams`, the option `http` does not work. The `logs` function rejects with a `LogError`.
 */
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
