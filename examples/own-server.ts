/**
 * A game server of your own that server browsers can list. The responder replies to queries, and the game handles all other datagrams.
 * The responder and the game share one socket. For Node:
 *
 *     node own-server.ts [PORT]
 *
 * @module
 */
import type { Profile } from "@sourcewire/server"
import { checkProfile, RateLimiter, Responder } from "@sourcewire/server"
import * as Result from "effect/Result"
import { createSocket } from "node:dgram"

/** The game's own state. */
const players = new Map<string, { readonly name: string; readonly joinedAt: number; score: number }>()

// The responder calls `info` or `players` for each reply, so a reply contains the current state.
const profile: Profile = {
  name: "own",
  description: "A game of our own",
  info: () => ({
    _tag: "InfoReply",
    protocol: 17,
    name: "Our first server",
    map: "meadow",
    folder: "own",
    game: "Our Game",
    appId: 0,
    players: players.size,
    maxPlayers: 16,
    bots: 0,
    serverType: "dedicated",
    environment: "linux",
    passwordProtected: false,
    vac: false,
    version: "1.0.0"
  }),
  players: () => ({
    _tag: "PlayersReply",
    announced: players.size,
    truncated: false,
    players: [...players.values()].map(({ joinedAt, name, score }) => ({
      index: 0,
      name,
      score,
      duration: (performance.now() - joinedAt) / 1000
    }))
  }),
  oversize: { how: "split", maxBytes: 1260 }
}

// Until a client has returned a challenge, the responder sends this client no reply that is larger than the request. After the client has
// returned a challenge, its address gets at most 20 replies per second that are larger than their requests.
const responder = new Responder(Result.getOrThrow(checkProfile(profile)), {
  limit: new RateLimiter({ perSecond: 20 }),
  onError: (error) => console.error(error.message)
})

/** Handles a datagram of the game. In this example, the datagram is the name of a player who joins. */
const play = (datagram: Uint8Array, player: string): void => {
  const name = new TextDecoder().decode(datagram).slice(0, 31)
  players.set(player, { name, joinedAt: performance.now(), score: 0 })
}

const socket = createSocket("udp4")
socket.on("message", (datagram, { address, port }) => {
  const isQuery = datagram.length >= 5 && datagram.readInt32LE(0) === -1
  if (!isQuery) return play(datagram, `${address}:${port}`)
  for (const reply of responder.respond(datagram, address, port, performance.now())) socket.send(reply, port, address)
  return undefined
})
socket.bind(Number(process.argv[2] ?? 27015), "127.0.0.1", () => {
  const { address, port } = socket.address()
  console.log(`Listening on ${address}:${port}`)
})
