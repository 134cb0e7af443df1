/**
 * A program that uses only the promise API. Its import line depends on the runtime. The rest of the program, and its output, are the same
 * on every runtime.
 *
 *     sameEverywhere <game server> <console> <password>
 */
import { connect, logs, master, rcon } from "@sourcewire/transport-node"

const [server, console_, password] = process.argv.slice(2) as [string, string, string]

await using client = await connect()
const info = await client.info(server)
console.log(info._tag === "InfoReply" ? `${info.name} (${info.appId}, ${info.steamId})` : info.name)
const { players } = await client.players(server)
for (const player of players) console.log(player.name, player.score)
const { rules } = await client.rules(server)
for (const rule of rules) console.log(`${rule.name}=${rule.value}`)

await using session = await rcon(console_, { password })
console.log(session.engine, JSON.stringify(await session.exec("echo Zoë")))

const failed = await rcon(console_, { password: "wrong" }).catch((error: unknown) => error)
console.log(failed instanceof Error && "_tag" in failed ? `${String(failed._tag)}: ${failed.message}` : failed)

await client.info("no port:here").catch((error: unknown) => console.log(String(error)))
await client.info(server, { signal: AbortSignal.abort("enough") }).catch((error: unknown) => console.log(error))
try {
  for await (const address of master(server, { timeoutMs: 200 })) console.log(address)
} catch (error) {
  console.log(error instanceof Error && "_tag" in error ? error._tag : error)
}

const receiver = await logs()
console.log(receiver.local.address, JSON.stringify(receiver.counters()))
await receiver.close()
for await (const entry of receiver) console.log(entry.text)
