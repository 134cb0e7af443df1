import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { complaints, listFunctions, type Row } from "../../../tooling/testing/hostile.ts"
import { overTransport } from "../../../tooling/testing/hostileServers.ts"
import * as proxy from "../src/index.ts"

const network = Effect.runSync(makeNetwork())
const transport = networkLayer(network)
const { effect, started } = overTransport(transport, () => network.openSockets)

const proxyServer = () => ({ upstream: "127.0.0.1:27015", host: "127.0.0.1", port: 0 })

const rows: Readonly<Record<string, Row>> = {
  makeProxy: {
    call: effect(proxy.makeProxy),
    good: [() => ({ servers: [proxyServer()], saved: [], onEvent: () => {} })]
  },
  startProxy: {
    call: (one) => started(proxy.startProxy)({ transport, servers: [one] } as never),
    good: [proxyServer]
  }
}

describe("arguments from JavaScript", () => {
  it("are tested for every exported function", () => {
    const exported = [proxy].flatMap((module) => listFunctions(module))
    expect(exported.sort()).toEqual(Object.keys(rows).sort())
  })

  for (const [name, row] of Object.entries(rows)) {
    it(`with any arguments, ${name} returns a value or one of our errors`, async () => {
      expect(await complaints(row)).toEqual([])
    }, 60_000)
  }
})
