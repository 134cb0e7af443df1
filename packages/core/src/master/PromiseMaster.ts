/** The Promise API of `Master`, for programs that do not use Effect. */
import type * as Layer from "effect/Layer"
import type { AddressInput } from "../client/ClientShape.ts"
import { type Abortable, demandTransport } from "../client/Running.ts"
import { withoutSignal } from "../edge.ts"
import type { Datagrams } from "../engine/Datagrams.ts"
import type { MasterOptions } from "./Master.ts"

/** Creates the `master` function of a runtime. `datagrams` provides the runtime's UDP sockets. */
export const masterWith =
  (datagrams: Layer.Layer<Datagrams>) =>
  (server: AddressInput, options?: MasterOptions & Abortable): AsyncGenerator<string, void> => {
    demandTransport(datagrams)
    return (async function* () {
      const [{ serversOver }, { iterate }] = await Promise.all([import("./Master.ts"), import("../client/iterate.ts")])
      yield* iterate(serversOver(datagrams, server, withoutSignal(options)), options)
    })()
  }
