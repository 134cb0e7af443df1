/** Giving up: what is under way ends at once, and nothing of it stays open. */
import type { PromiseClient } from "@sourcewire/core"
import { connectWith, Datagrams, rconWith, Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import { casesOf, expect, failure, scoped } from "./ConformanceCase.ts"

/** A server that hears and says nothing, and remembers who spoke. */
const openSilent = Effect.gen(function* () {
  const { open } = yield* Datagrams
  const askers: Array<number> = []
  let heard: (() => void) | undefined
  const { local } = yield* open(
    { family: 4, bind: { address: "127.0.0.1", port: 0 } },
    {
      onDatagram: (_bytes, _address, port) => {
        askers.push(port)
        heard?.()
      },
      onFault: () => {}
    }
  )
  const next = Effect.callback<void>((resume) => {
    heard = () => resume(Effect.void)
  })
  return { address: `127.0.0.1:${local.port}`, askers, next }
})

/** Runs `act` while a query to a silent server is under way. */
const whileAsking = (
  act: (context: {
    readonly client: PromiseClient
    readonly asked: Promise<unknown>
    readonly controller: AbortController
    /** The port that the query came from. */
    readonly port: number
  }) => Promise<void>
) =>
  scoped(function* (subject) {
    const server = yield* openSilent
    const client = yield* Effect.acquireRelease(
      Effect.promise(() => connectWith(subject.transport)()),
      (client) => Effect.promise(() => client.close())
    )
    const controller = new AbortController()
    const asked = client.info(server.address, { signal: controller.signal })
    asked.catch(() => {})
    if (server.askers.length === 0) yield* server.next
    yield* Effect.promise(() => act({ client, asked, controller, port: server.askers[0]! }))
    // Its port is free once the socket is closed, which `act` saw to.
    const { open } = yield* Datagrams
    const bind = { address: "0.0.0.0", port: server.askers[0]! }
    yield* Effect.scoped(open({ family: 4, bind }, { onDatagram: () => {}, onFault: () => {} }))
  })

/** Everything about giving up. That a program then ends by itself is for whoever runs the suite to see. */
export const cancellationCases = casesOf("cancellation", {
  "a signal ends the query, with its reason": whileAsking(async ({ asked, client, controller }) => {
    const reason = new Error("no longer wanted")
    controller.abort(reason)
    expect((await failure(asked)) === reason, "did not reject with the signal's reason")
    await client.close()
  }),
  "closing the client ends its queries and frees its port": whileAsking(async ({ asked, client }) => {
    await client.close()
    const tag = await failure(asked)
    expect(tag === "ConnectionClosed", `fails with ${String(tag)}`)
    const later = await failure(client.info("127.0.0.1:1"))
    expect(later === "ConnectionClosed", `a later query fails with ${String(later)}`)
  }),
  "a signal ends an RCON log-in that gets no answer": scoped(function* (subject) {
    const { listen } = yield* Streams
    let arrived: (() => void) | undefined
    let closed: (() => void) | undefined
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const came = new Promise<void>((resolve) => (arrived = resolve))
    const { local } = yield* listen({ bind: { address: "127.0.0.1", port: 0 }, maxConnections: 1 }, () => ({
      onData: () => arrived?.(),
      onClose: () => closed?.()
    }))
    const controller = new AbortController()
    const { signal } = controller
    const options = { password: "probe pw", engine: "source", signal } as const
    const connecting = rconWith(subject.transport)(`127.0.0.1:${local.port}`, options)
    connecting.catch(() => {})
    const reason = new Error("no longer wanted")
    yield* Effect.promise(async () => {
      await came
      controller.abort(reason)
      expect((await failure(connecting)) === reason, "did not reject with the signal's reason")
      await gone
    })
  })
})
