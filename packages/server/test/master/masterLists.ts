/** Server lists for the tests of masters, and requests for these lists. */
import { MasterReply, MasterRequest, encodeAs } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { ListedServer } from "../../src/Machines.ts"

export const request = (filter = "", { padding = 0, region = 255, seed = "0.0.0.0:0" } = {}): Uint8Array =>
  Result.getOrThrow(
    encodeAs(MasterRequest, {
      _tag: "MasterRequest",
      region,
      seed,
      filter,
      ...(padding === 0 ? {} : { trailing: "00".repeat(padding) })
    })
  )

export const decodePage = (replies: ReadonlyArray<Uint8Array>): MasterReply =>
  Result.getOrThrow(MasterReply.decode(replies[0]!))

export const listed: ReadonlyArray<ListedServer> = [
  {
    address: "10.0.0.1:27015",
    name: "Duel night",
    gamedir: "cstrike",
    map: "de_dust2",
    version: "1.1.2.7",
    appId: 10,
    players: 3,
    maxPlayers: 16,
    dedicated: true,
    secure: true,
    linux: true,
    passwordProtected: false,
    region: 3,
    tags: ["alltalk", "HLTV"],
    hiddenTags: ["a", "b"]
  },
  {
    address: "10.0.0.1:27016",
    gamedir: "cstrike",
    map: "de_dust",
    appId: 10,
    players: 16,
    maxPlayers: 16,
    passwordProtected: true,
    region: 0
  },
  {
    address: "10.0.0.2:27015",
    gamedir: "tf",
    map: "ctf_2fort",
    appId: 440,
    players: 0,
    maxPlayers: 24,
    whitelisted: true
  },
  { address: "10.0.0.3:27020", gamedir: "tf", proxy: true, region: 255 }
]

export const many = Array.from({ length: 1000 }, (_, i): ListedServer => ({
  address: `10.${i % 7}.${i >> 8}.${i & 255}:${27_000 + (i % 13)}`
}))
