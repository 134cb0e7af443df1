/** Starts Debian's DarkPlaces server with an empty map and empty game functions, because Quake's own map and functions are not free. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emptyMap, ints } from "./emptyMap.ts"
import { freePort, untilUp } from "./startup.ts"
import { startProgram } from "./startProgram.ts"

const SERVER = "/usr/games/darkplaces-server"

/** Functions of the game that the engine calls. */
const FUNCTIONS = [
  "main",
  "StartFrame",
  "PlayerPreThink",
  "PlayerPostThink",
  "ClientKill",
  "ClientConnect",
  "PutClientInServer",
  "ClientDisconnect",
  "SetNewParms",
  "SetChangeParms",
  "worldspawn"
]

const PROGS_VERSION = 6
const NETQUAKE_CRC = 5927
const HEADER_BYTES = 15 * 4
const GLOBALS = 128
const ENTITY_FIELDS = 105

/**
 * Returns the bytes of a compiled game. The game has no variables, and its code contains only two return statements. Each function begins
 * at a return statement.
 */
const emptyGame = (): Buffer => {
  const strings = Buffer.from(`\0${FUNCTIONS.map((name) => `${name}\0`).join("")}`)
  // The numbers of a function: first statement, first local, number of locals, profile, name, file, number of parameters, and their sizes.
  const compileFunction = (name: string): Buffer =>
    ints(name === "" ? 0 : 1, 0, 0, 0, name === "" ? 0 : strings.indexOf(`\0${name}\0`) + 1, 0, 0, 0, 0)
  const parts: ReadonlyArray<readonly [bytes: Buffer, count: number]> = [
    [Buffer.alloc(16), 2],
    [Buffer.alloc(8), 1],
    [Buffer.alloc(8), 1],
    [Buffer.concat(["", ...FUNCTIONS].map(compileFunction)), FUNCTIONS.length + 1],
    [strings, strings.length],
    [Buffer.alloc(GLOBALS * 4), GLOBALS]
  ]
  let at = HEADER_BYTES
  const places = parts.flatMap(([bytes, count]) => {
    const place = [at, count]
    at += bytes.length
    return place
  })
  const header = ints(PROGS_VERSION, NETQUAKE_CRC, ...places, ENTITY_FIELDS)
  return Buffer.concat([header, ...parts.map(([bytes]) => bytes)])
}

/** Starts the server. When the returned object is disposed, the server is stopped. */
export const startDarkPlaces = async (password: string) => {
  const folder = await mkdtemp(join(tmpdir(), "sourcewire-darkplaces-"))
  await mkdir(join(folder, "id1", "maps"), { recursive: true })
  await writeFile(join(folder, "id1", "maps", "empty.bsp"), emptyMap())
  await writeFile(join(folder, "id1", "progs.dat"), emptyGame())
  const port = await freePort()
  const args = ["-basedir", folder, "-userdir", folder, "-ip", "127.0.0.1", "-port", String(port)]
  const settings = ["+rcon_password", password, "+sv_public", "0", "+net_address_ipv6", "::1", "+map", "empty"]
  const server = await startProgram(SERVER, [...args, ...settings], folder, { cwd: folder }, () => untilUp(port))
  return { port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
