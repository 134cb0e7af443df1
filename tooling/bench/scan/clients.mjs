// Who is measured, and how each is started.
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { programs } from "../../programs/programs.mjs"

const here = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url))

const quakestat = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "quakestat"))
  .find((file) => existsSync(file))

const node = (file, ...args) => [process.execPath, here(file), ...args]
/** Programs of this folder under another runtime. */
export const bun = (file) => [programs.bun, here(file)]
export const deno = (file) => [programs.deno, "run", "-A", "--unstable-net", "--quiet", here(file)]

/** Ours where nothing else is said. */
export const OURS = "sourcewire on Node"
export const OURS_BATCHED = "sourcewire on Node 26, batched"

const plain = (command) => [...command, "--transport", "plain"]
const batched = (command) => [...command, "--transport", "batched"]

const existing = ({ command }) => existsSync(command[0])

/** `raw`: whom ours is compared with; `peer`: another library; `limit`: reads headers only. */
export const clients = [
  { name: OURS, command: plain(node("driver.mjs")), raw: "raw node:dgram" },
  { name: "raw node:dgram", command: node("raw-node.mjs"), limit: true },
  {
    name: OURS_BATCHED,
    command: batched([programs.node26, "--experimental-ffi", here("driver.mjs")]),
    raw: "raw node:dgram on Node 26"
  },
  { name: "raw node:dgram on Node 26", command: [programs.node26, here("raw-node.mjs")], limit: true },
  { name: "sourcewire on Bun", command: plain(bun("driver.mjs")), raw: "raw Bun.udpSocket" },
  { name: "sourcewire on Bun, batched", command: batched(bun("driver.mjs")), raw: "raw Bun.udpSocket" },
  { name: "raw Bun.udpSocket", command: bun("raw-bun.mjs"), limit: true },
  { name: "sourcewire on Deno", command: plain(deno("driver.mjs")), raw: "raw Deno.listenDatagram" },
  { name: "sourcewire on Deno, batched", command: batched(deno("driver.mjs")), raw: "raw Deno.listenDatagram" },
  { name: "raw Deno.listenDatagram", command: deno("raw-deno.mjs"), limit: true },
  ...["gamedig", "source-server-query", "steam-server-query", "@fabricio-191/valve-server-query"].map((name) => ({
    name,
    command: node("peer.mjs", name),
    peer: true
  })),
  // Written in C, of the distribution: where it is not installed it is left out.
  ...(quakestat === undefined ? [] : [{ name: "qstat", command: node("scan/qstat.mjs", quakestat) }])
].filter(existing)

/** What is to be said of each of ours that ran, and whose raw loop did. */
export const besideRaw = (medians, say) =>
  clients.flatMap(({ name, raw }) => {
    const [ours, limit] = [medians.get(name), medians.get(raw)]
    return ours === undefined || limit === undefined ? [] : [say(name, raw, ours, limit)]
  })

const decoding = (raw, command) => ({
  name: `${raw}, decoding by hand`,
  command: [...command, "--decode", "1"],
  decodes: raw
})

/** The raw loops when they decode everything: what there is to be had for who wants to know what the datagrams say. */
export const decodingLoops = [
  decoding("raw node:dgram", node("raw-node.mjs")),
  decoding("raw node:dgram on Node 26", [programs.node26, here("raw-node.mjs")]),
  decoding("raw Bun.udpSocket", bun("raw-bun.mjs")),
  decoding("raw Deno.listenDatagram", deno("raw-deno.mjs"))
].filter(existing)
