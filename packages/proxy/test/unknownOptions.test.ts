/** A proxy rejects unknown options, including unknown options of its servers. */
import { describe, expect, it } from "vitest"
import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import * as Effect from "effect/Effect"
import { InvalidOption, startProxy } from "../src/index.ts"

const transport = networkLayer(Effect.runSync(makeNetwork()))

describe("an unknown option", () => {
  it.each([
    ["saves", "saved", { servers: [], saves: [] }],
    ["servers.0.refresh", "servers.0.refreshMs", { servers: [{ upstream: "127.0.0.1", refresh: 5 }] }],
    [
      "servers.0.limit.perSeconds",
      "servers.0.limit.perSecond",
      { servers: [{ upstream: "127.0.0.1", limit: { perSecond: 1, perSeconds: 5 } }] }
    ]
  ])("is rejected, and the error suggests the likely name: %s, %s", async (option, meant, options) => {
    const error: unknown = await startProxy({ transport, ...options } as never).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(InvalidOption)
    expect(error).toMatchObject({ option, message: `There is no option ${option}. Did you mean ${meant}?` })
  })
})
