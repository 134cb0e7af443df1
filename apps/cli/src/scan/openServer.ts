/** Queries INFO, PLAYER and RULES of one server in a live scan. Formats the replies as the same card that `sourcewire query` prints. */
import { Client, parseAddress } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Canvas } from "../output/output.ts"
import { clientLayer } from "../query/runQueries.ts"
import { targetAt } from "../query/target.ts"
import { remark } from "../view/card.ts"
import { explain } from "../view/failureLine.ts"
import type { ScanSettings } from "./flags.ts"

/** Returns the lines of a card, with the width and the colours of `canvas`. */
type Card = (canvas: Canvas) => ReadonlyArray<string>

const failed =
  (message: string): Card =>
  (canvas) => ["", ...remark(message, canvas)]

/** Returns the card of a server. If the server cannot be queried, the card shows the reason. */
export const openServer = Effect.fnUntraced(
  function* (text: string, { encoding, retries, timeout }: ScanSettings) {
    const address = parseAddress(text)
    if (Result.isFailure(address)) return failed(address.failure.message)
    const target = targetAt(address.success)
    const client = yield* Client
    const answer = yield* Effect.result(client.query(target.address, { encoding, retries, timeoutMs: timeout }))
    if (Result.isFailure(answer)) return failed(explain(answer.failure))
    const { serverView } = yield* Effect.promise(() => import("../query/everything.ts"))
    return (canvas: Canvas) => serverView(answer.success, target, canvas, {})
  },
  (work) => Effect.provide(work, clientLayer(false))
)
