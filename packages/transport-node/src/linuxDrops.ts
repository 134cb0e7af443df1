/**
 * How many datagrams Linux has dropped because a socket's receive queue was full, as it says in `/proc/self/net/udp`. Other systems have
 * no such count per socket.
 */
import type { Endpoint, Family } from "@sourcewire/core/transport"
import { readFileSync } from "node:fs"

// Of this process: what hides everything but processes in /proc, as systemd can, leaves that.
const TABLES: Readonly<Record<Family, string>> = { 4: "/proc/self/net/udp", 6: "/proc/self/net/udp6" }

/** Reading the table takes some ms: whoever asks about many sockets at once reads it once. */
const READ_AGAIN_MS = 200

/** The bytes of a numeric address. */
const bytesOf = (address: string): ReadonlyArray<number> => {
  if (!address.includes(":")) return address.split(".").map(Number)
  const [head = "", tail] = address.replace(/%.*$/, "").split("::")
  const groups = (text: string): ReadonlyArray<number> =>
    text === "" ? [] : text.split(":").map((g) => parseInt(g, 16))
  const [before, after] = [groups(head), groups(tail ?? "")]
  const between = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...between, ...after].flatMap((group) => [group >> 8, group & 0xff])
}

/** An end as the table has it: words of 32 bits as they lie in memory, then the port. */
const endOf = ({ address, port }: Endpoint): string => {
  const words = new Uint32Array(Uint8Array.from(bytesOf(address)).buffer)
  const hex = (number: number, digits: number): string => number.toString(16).toUpperCase().padStart(digits, "0")
  return `${Array.from(words, (word) => hex(word, 8)).join("")}:${hex(port, 4)}`
}

/** The count of the socket at this local end, from the text of the table; 0 when it is not there. */
export const dropsIn = (table: string, local: Endpoint): number => {
  // The local end stands behind the line's number, the count at its end.
  const line = new RegExp(`^ *\\d+: ${endOf(local)} .* (\\d+) *$`, "m")
  return Number(line.exec(table)?.[1] ?? 0)
}

const read: { [F in Family]?: { readonly text: string; readonly at: number } } = {}

const tableOf = (family: Family): string => {
  const now = performance.now()
  const known = read[family]
  if (known !== undefined && now - known.at < READ_AGAIN_MS) return known.text
  const text = readFileSync(TABLES[family], "latin1")
  read[family] = { text, at: now }
  return text
}

/** A function that counts for the socket at this end, or `undefined` where the system keeps no count. What it gives may be 0.2 s old. */
export const dropCounter = (family: Family, local: Endpoint): (() => number) | undefined => {
  if (process.platform !== "linux") return undefined
  return () => {
    try {
      return dropsIn(tableOf(family), local)
    } catch {
      // Some sandboxes hide the table.
      return 0
    }
  }
}
