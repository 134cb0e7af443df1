/** `query --explain`: records the datagrams of each query. After the result of the query, it prints findings about these datagrams. */
import { Client, type ServerAnswer, formatAddress } from "@sourcewire/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Explanation } from "../decode/explain.ts"
import { Output } from "../output/output.ts"
import { type QueryCommandSettings, type Question, clientLayer } from "./runQueries.ts"

/** Findings show this text in place of the address and port of this host, because the system chooses this address and port. */
const THIS_HOST = "this host"

/** The recorded conversation between this host and a target. */
interface Recorded {
  readonly explanation: Explanation
  /** If a query failed with `PortClosed`, this set contains the address and port of the target. */
  readonly refused: Set<string>
}

/**
 * Extends a query: after the result of a target, the returned query prints findings about the target's datagrams. Each target has its own
 * client. Therefore all datagrams of a client belong to one target.
 */
export const withExplanation = Effect.fnUntraced(function* (
  question: Question<ServerAnswer>,
  { trace = false }: Pick<QueryCommandSettings, "trace">
) {
  const output = yield* Output
  const recorded = new Map<string, Recorded>()
  const explained: Question<ServerAnswer> = {
    ...question,
    run: Effect.fnUntraced(
      function* (_, target, options) {
        const explanation = new Explanation("datagram")
        const refused = new Set<string>()
        recorded.set(target.name, { explanation, refused })
        let number = 0
        let remote = target.name
        const layer = clientLayer(trace, (direction, bytes, { address, port }, timeMs) => {
          remote = formatAddress({ host: address, port })
          const [from, to] = direction === "sent" ? [THIS_HOST, remote] : [remote, THIS_HOST]
          const timeNs = BigInt(Math.round((performance.timeOrigin + timeMs) * 1e6))
          explanation.add({ bytes, from, to, timeMs, timeNs, number: ++number })
        })
        const client = Context.get(yield* Layer.build(layer), Client)
        const asked = question.run(client, target, options)
        return yield* Effect.tapError(asked, ({ _tag }) =>
          Effect.sync(() => void (_tag === "PortClosed" && refused.add(remote)))
        )
      },
      Effect.scoped,
      Effect.provideService(Output, output)
    ),
    after: ({ name }, canvas, { json }) => {
      const found = recorded.get(name)
      recorded.delete(name)
      return found === undefined ? [] : found.explanation.lines(json, [], found.refused, canvas)
    }
  }
  return explained
})
