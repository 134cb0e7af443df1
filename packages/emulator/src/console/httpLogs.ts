/** The receivers to which an emulated server posts its log. In CS2's console, the command `logaddress_add_http` adds a receiver. */
import { type InvalidOption, makeHttpLogSender } from "@sourcewire/server"
import { checked, shape } from "@sourcewire/inside/checks"
import { type HttpLogSender, type HttpLogSenderOptions, httpLogOptions, isLogUrl } from "@sourcewire/server/machines"
import type { Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

const MAX_RECEIVERS = 8

/** The receivers of one server. */
export interface HttpLogs {
  /** Adds a receiver. Fails with an error message if the URL is invalid or there are too many receivers. */
  readonly add: (url: string) => Effect.Effect<void, string>
  readonly removeAll: Effect.Effect<void>
  readonly urls: () => ReadonlyArray<string>
  /** Sends a line to all receivers. */
  readonly send: (text: string) => Effect.Effect<void>
}

/** Creates the receivers of a server. When the scope closes, the server stops posting to the receivers. */
export const makeHttpLogs = Effect.fnUntraced(function* (
  options: Omit<HttpLogSenderOptions, "url"> = {}
): Effect.fn.Return<HttpLogs, InvalidOption, Scope.Scope | Streams> {
  yield* Effect.fromResult(checked(shape(httpLogOptions), options))
  const context = yield* Effect.context<Scope.Scope | Streams>()
  const scope = yield* Effect.scope
  const senders = new Map<string, { readonly sender: HttpLogSender; readonly own: Scope.Closeable }>()
  return {
    urls: () => [...senders.keys()],
    add: Effect.fnUntraced(function* (url: string) {
      if (senders.has(url)) return
      if (!isLogUrl(url)) return yield* Effect.fail(`"${url}" is not an http:// URL.`)
      if (senders.size >= MAX_RECEIVERS) return yield* Effect.fail(`There are ${MAX_RECEIVERS} receivers already.`)
      const own = yield* Scope.fork(scope)
      const sender = yield* Effect.orDie(
        Effect.provide(Scope.provide(makeHttpLogSender({ ...options, url }), own), context)
      )
      senders.set(url, { sender, own })
    }),
    removeAll: Effect.suspend(() => {
      const all = [...senders.values()]
      senders.clear()
      return Effect.forEach(all, ({ own }) => Scope.close(own, Exit.void), { discard: true })
    }),
    send: (text) => Effect.forEach([...senders.values()], ({ sender }) => sender.send(text), { discard: true })
  }
})
