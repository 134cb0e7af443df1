/**
 * How many datagrams Linux has dropped because a socket's receive queue was full, as it says in `/proc/net/udp`. Other systems have
 * no such count per socket.
 *
 * @module
 */
import type { Endpoint, Family } from "@sourcewire/core"
import { readFileSync } from "node:fs"

const TABLES: Readonly<Record<Family, string>> = { 4: "/proc/net/udp", 6: "/proc/net/udp6" }

/** Columns of the table, as blanks divide them: the local end, and the count. */
const LOCAL = 1
const DROPS = 12

/** The count of the socket with this port, from the text of the table; 0 when it is not there. */
export const dropsIn = (table: string, port: number): number => {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")} `
  // Most machines have few sockets and some have thousands: only lines that mention the port are taken apart.
  for (let at = table.indexOf(end); at !== -1; at = table.indexOf(end, at + 1)) {
    const columns = table.slice(table.lastIndexOf("\n", at) + 1, (table.indexOf("\n", at) + 1 || table.length + 1) - 1)
    const fields = columns.trim().split(/\s+/)
    if (`${fields[LOCAL]} `.endsWith(end)) return Number(fields[DROPS]) || 0
  }
  return 0
}

/** A function that counts for the socket at this end, or `undefined` where the system keeps no count. One call takes about 3 ms. */
export const dropCounter = (family: Family, local: Endpoint): (() => number) | undefined => {
  if (process.platform !== "linux") return undefined
  return () => {
    try {
      return dropsIn(readFileSync(TABLES[family], "latin1"), local.port)
    } catch {
      // Some sandboxes hide the table.
      return 0
    }
  }
}
