/**
 * Reads from `/proc/self/net/udp` how many datagrams Linux dropped because a socket's receive queue was full. Other systems do not count
 * dropped datagrams per socket.
 */
import type { Endpoint, Family } from "@sourcewire/core/transport"
import { readFileSync } from "node:fs"

// Some set-ups (for example, some options of systemd) hide all of `/proc` except the folders of processes. Therefore this module reads the
// tables under `/proc/self`.
const TABLES: Readonly<Record<Family, string>> = { 4: "/proc/self/net/udp", 6: "/proc/self/net/udp6" }

/**
 * Minimum time between two reads of the table, in ms. Each read takes several ms. Therefore all sockets of a family use the result of the
 * same read.
 */
const READ_AGAIN_MS = 200

/** Returns the bytes of a numeric address. */
const parseAddress = (address: string): ReadonlyArray<number> => {
  if (!address.includes(":")) return address.split(".").map(Number)
  const [head = "", tail] = address.replace(/%.*$/, "").split("::")
  const groups = (text: string): ReadonlyArray<number> =>
    text === "" ? [] : text.split(":").map((g) => parseInt(g, 16))
  const [before, after] = [groups(head), groups(tail ?? "")]
  const between = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...between, ...after].flatMap((group) => [group >> 8, group & 0xff])
}

/** Returns an endpoint in the table's format: the 32-bit words of the address, in the byte order of the processor, and then the port. */
const formatEndpoint = ({ address, port }: Endpoint): string => {
  const words = new Uint32Array(Uint8Array.from(parseAddress(address)).buffer)
  const hex = (number: number, digits: number): string => number.toString(16).toUpperCase().padStart(digits, "0")
  return `${Array.from(words, (word) => hex(word, 8)).join("")}:${hex(port, 4)}`
}

/**
 * Returns how many datagrams were dropped for the socket with this local endpoint, according to the text of the table. Returns 0 if the
 * table does not contain the endpoint.
 */
export const readDrops = (table: string, local: Endpoint): number => {
  // The local endpoint follows the line's number, and the number of dropped datagrams is at the end of the line.
  const line = new RegExp(`^ *\\d+: ${formatEndpoint(local)} .* (\\d+) *$`, "m")
  return Number(line.exec(table)?.[1] ?? 0)
}

const read: { [F in Family]?: { readonly text: string; readonly at: number } } = {}

const readTable = (family: Family): string => {
  const now = performance.now()
  const known = read[family]
  if (known !== undefined && now - known.at < READ_AGAIN_MS) return known.text
  const text = readFileSync(TABLES[family], "latin1")
  read[family] = { text, at: now }
  return text
}

/**
 * Creates a counter for the socket with this local endpoint. The counter returns the number of dropped datagrams, from a table that was
 * read at most 0.2 s before. On systems other than Linux, the result is `undefined` instead of a counter.
 */
export const dropCounter = (family: Family, local: Endpoint): (() => number) | undefined => {
  if (process.platform !== "linux") return undefined
  return () => {
    try {
      return readDrops(readTable(family), local)
    } catch {
      // Some sandboxes hide the table.
      return 0
    }
  }
}
