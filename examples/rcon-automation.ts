/**
 * Announces a map change to the players, waits, and changes the map, for example in a nightly cron job. For Bun:
 *
 *     RCON_PASSWORD=… bun rcon-automation.ts 192.0.2.7:27015 de_dust2
 *
 * RCON is not encrypted. If you do not trust the network, use a tunnel.
 *
 * @module
 */
import { rcon } from "@sourcewire/transport-bun"

const [address = "127.0.0.1:27015", map = "de_dust2"] = process.argv.slice(2)
const WARNING_MS = Number(process.env["WARNING_MS"] ?? 10_000)

await using session = await rcon(address, { password: process.env["RCON_PASSWORD"] ?? "" })

console.log((await session.exec("status")).split("\n")[0])
await session.exec(`say The map changes to ${map} in ${Math.round(WARNING_MS / 1000)} seconds.`)
await new Promise((resolve) => setTimeout(resolve, WARNING_MS))
// Each command is sent at most once. If `changelevel` fails, it is not sent again, and the map may or may not have changed.
await session.exec(`changelevel ${map}`)
console.log(`Changed to ${map}.`)
