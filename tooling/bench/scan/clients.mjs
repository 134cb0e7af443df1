// The measured clients, and the commands that start them.
import { existsSync } from "node:fs"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { programs } from "../../programs/programs.mjs"
import { programOnPath } from "../../testing/externalProgram.ts"

const DENO = [programs.deno, "run", "-A", "--unstable-net", "--quiet"]

/** The command that runs a script in `tooling/bench`. `command` starts the runtime. */
const start = (command, file, ...args) => [...command, fileURLToPath(new URL(`../${file}`, import.meta.url)), ...args]
const raw = (name, command) => ({ name, command: start(command, "raw/loop.mjs"), isRaw: true })
/** One of our clients. `raw` is the name of the raw loop with which the client is compared. */
const ours = (name, raw, command, transport = "plain") => ({
  name,
  raw,
  command: start(command, "driver.mjs", "--transport", transport)
})
const peer = (name) => ({ name, command: start([process.execPath], "peer.mjs", name), isPeer: true })

/** The name of our client with default settings. */
export const OURS = "sourcewire on Node"
export const OURS_BATCHED = "sourcewire on Node 26, batched"

const quakestat = programOnPath("quakestat")

/** Our clients, raw loops that read only the headers of replies, other libraries, and qstat. */
export const clients = [
  ours(OURS, "raw node:dgram", [process.execPath]),
  raw("raw node:dgram", [process.execPath]),
  ours(OURS_BATCHED, "raw node:dgram on Node 26", [programs.node26, "--experimental-ffi"], "batched"),
  raw("raw node:dgram on Node 26", [programs.node26]),
  ours("sourcewire on Bun", "raw Bun.udpSocket", [programs.bun]),
  ours("sourcewire on Bun, batched", "raw Bun.udpSocket", [programs.bun], "batched"),
  raw("raw Bun.udpSocket", [programs.bun]),
  ours("sourcewire on Deno", "raw Deno.listenDatagram", DENO),
  ours("sourcewire on Deno, batched", "raw Deno.listenDatagram", DENO, "batched"),
  raw("raw Deno.listenDatagram", DENO),
  ...["gamedig", "source-server-query", "steam-server-query", "@fabricio-191/valve-server-query"].map(peer),
  // qstat is a C program from the Linux distribution. If qstat is not installed, it is not measured.
  ...(quakestat === undefined
    ? []
    : [{ name: "qstat", command: start([process.execPath], "scan/qstat.mjs", quakestat) }])
].filter(({ command }) => existsSync(command[0]))

export const rawLoops = clients.filter(({ isRaw }) => isRaw)

/**
 * The loops of `rawLoops`, but with hand-written decoders for the complete replies. Their speed shows how fast a scan that returns decoded
 * replies can be.
 */
export const decodingLoops = rawLoops.map(({ command, name }) => ({
  name: `${name}, decoding by hand`,
  command: [...command, "--decode", "1"],
  decodes: name
}))

/** Pairs of names: each of our clients with the raw loop of the same runtime. */
export const pairsWith = (loops) =>
  clients.flatMap(({ name, raw }) =>
    loops.filter((loop) => raw === (loop.decodes ?? loop.name)).map((loop) => [name, loop.name])
  )

/**
 * If both clients of a pair have results, this function calls `say` with the names and the results of these clients. Returns the results of
 * all calls of `say`.
 */
export const beside = (medians, pairs, say) =>
  pairs.flatMap(([name, other]) => {
    const [ours, theirs] = [medians.get(name), medians.get(other)]
    return ours === undefined || theirs === undefined ? [] : [say(name, other, ours, theirs)]
  })
