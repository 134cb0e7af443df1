/** Tests of cancellation: queries in flight end at once, and all sockets are closed. */
import type { PromiseClient } from "@sourcewire/core"
import { connectWith, rconWith, Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import { buildCases, expect, failure, scoped } from "./ConformanceCase.ts"
import { Inbox, openSocket, V4 } from "./Inbox.ts"

/** Sends a query to a server that never replies, and runs `act` while this query is in flight. */
const whileQuerying = (
  act: (context: {
    readonly client: PromiseClient
    readonly query: Promise<unknown>
    readonly controller: AbortController
    /** The client's UDP port, from which the query was sent. */
    readonly port: number
  }) => Promise<void>
) =>
  scoped(function* (subject) {
    const received = new Inbox()
    const { local } = yield* openSocket({ bind: V4 }, received)
    const client = yield* Effect.acquireRelease(
      Effect.promise(() => connectWith(subject.transport)()),
      (client) => Effect.promise(() => client.close())
    )
    const controller = new AbortController()
    const query = client.info(`${local.address}:${local.port}`, { signal: controller.signal })
    query.catch(() => {})
    yield* received.until(() => received.arrivals.length > 0, "no query was sent")
    const { port } = received.arrivals[0]!.from
    yield* Effect.promise(() => act({ client, query, controller, port }))
    // This bind succeeds only if `act` has closed the client's socket, so that the port is free again.
    yield* Effect.scoped(openSocket({ bind: { address: "0.0.0.0", port } }))
  })

/**
 * All tests of cancellation. A test inside a running program cannot check that the program exits after a cancellation. The caller of the
 * suite must check this.
 */
export const cancellationCases = buildCases("cancellation", {
  "a signal ends the query, with its reason": whileQuerying(async ({ query, client, controller }) => {
    const reason = new Error("no longer wanted")
    controller.abort(reason)
    expect((await failure(query)) === reason, "did not reject with the signal's reason")
    await client.close()
  }),
  "closing the client ends its queries and frees its port": whileQuerying(async ({ query, client }) => {
    await client.close()
    const tag = await failure(query)
    expect(tag === "ConnectionClosed", `fails with ${String(tag)}`)
    const later = await failure(client.info("127.0.0.1:1"))
    expect(later === "ConnectionClosed", `a later query fails with ${String(later)}`)
  }),
  "a signal ends an RCON login without a reply": scoped(function* (subject) {
    const { listen } = yield* Streams
    const came = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    const { local } = yield* listen({ bind: { address: "127.0.0.1", port: 0 }, maxConnections: 1 }, () => ({
      onData: () => came.resolve(),
      onClose: () => gone.resolve()
    }))
    const controller = new AbortController()
    const { signal } = controller
    const options = { password: "probe pw", engine: "source", signal } as const
    const connecting = rconWith(subject.transport)(`127.0.0.1:${local.port}`, options)
    connecting.catch(() => {})
    const reason = new Error("no longer wanted")
    yield* Effect.promise(async () => {
      await came.promise
      controller.abort(reason)
      expect((await failure(connecting)) === reason, "did not reject with the signal's reason")
      await gone.promise
    })
  })
})
