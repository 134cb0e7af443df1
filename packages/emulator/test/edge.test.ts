import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { type Call, complaints, listFunctions, type Row } from "../../../tooling/testing/hostile.ts"
import { overTransport } from "../../../tooling/testing/hostileServers.ts"
import * as Conformance from "../src/Conformance.ts"
import * as emulator from "../src/index.ts"
import * as machines from "../src/machines.ts"
import * as Scenarios from "../src/Scenarios.ts"

const network = Effect.runSync(makeNetwork())
const transport = networkLayer(network)
const { effect, started } = overTransport(transport, () => network.openSockets)

const limit = () => ({ perSecond: 5, burst: 10, answerBytes: 4096, addresses: 64 })
const listening = () => ({ transport, host: "127.0.0.1", port: 0, limit: limit(), allowAmplification: false })
const faults = () =>
  Object.fromEntries(machines.faultSwitches.map(({ key, takes }) => [key, takes === "nothing" ? false : 0]))
const serverOptions = () => ({
  ...listening(),
  profile: "css",
  faults: faults(),
  intercept: () => false,
  responder: {}
})
const profile = () => emulator.profiles.css()
const profileOptions = () => ({ seed: 1, name: "name", map: "map", port: 27015, people: 5 })

const rows: Readonly<Record<string, Row>> = {
  makeServer: { call: effect(emulator.makeServer), good: [serverOptions] },
  startServer: { call: started(emulator.startServer), good: [serverOptions] },
  emulatedConsole: {
    call: (given) => emulator.emulatedConsole(given)("status", { address: "127.0.0.1", port: 1, engine: "source" }),
    good: [profile]
  },
  makeHttpLogs: { call: effect(machines.makeHttpLogs), good: [() => ({ token: "a" })] },
  isProfileName: { call: machines.isProfileName, good: [() => "css"] },
  ServerList: {
    call: (given) => {
      const list = new machines.ServerList(given as machines.ServerListOptions)
      return list.size === 0 ? undefined : list.players(list.server(0), 0)
    },
    good: [() => ({ seed: 1, honest: 5, fakesOfEachKind: 5, manyPorts: 5, manyPortsHosts: 2, network: "10.0" })]
  },
  parseFaults: { call: machines.parseFaults, good: [() => ["loss=0.5"]] }
}

/**
 * Functions that a program calls in tests of a transport or a client. They do not check their arguments, because such tests are written in
 * TypeScript.
 */
const TESTING = ["runScenario", "runConformance"]

describe("arguments from JavaScript", () => {
  it("are tested for every exported function", () => {
    const exported = [emulator, machines, Scenarios, Conformance].flatMap((module) => listFunctions(module))
    expect(exported.sort()).toEqual([...Object.keys(rows), ...TESTING].sort())
  })

  for (const [name, row] of Object.entries(rows)) {
    it(`with any arguments, ${name} returns a value or one of our errors`, async () => {
      expect(await complaints(row)).toEqual([])
    }, 60_000)
  }

  for (const [name, make] of Object.entries(emulator.profiles)) {
    it(`with any arguments, the profile function ${name} returns a value or one of our errors`, async () => {
      expect(await complaints({ call: make as Call, good: [profileOptions] })).toEqual([])
    })
  }
})
