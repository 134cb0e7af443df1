/** A game server to ask, and which of the repository's functions run meanwhile: what pages about the code are held to. */
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { Session } from "node:inspector/promises"

export const root = new URL("../../", import.meta.url)

const CHALLENGE = Buffer.from("ffffffff410a0b0c0d", "hex")
const INFO = Buffer.from("ffffffff49116e616d65006d617000666f6c6465720067616d65000a00002000646c0001310000", "hex")

/** Answers INFO on loopback, once the challenge is brought back. `requests`: how many of those that were sent so far have come. */
export const startInfoServer = async () => {
  const server = createSocket("udp4")
  let count = 0
  server.on("message", (request, { address, port }) => {
    if (port === server.address().port) return
    count++
    server.send(request.length > 25 ? INFO : CHALLENGE, port, address)
  })
  server.bind(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address()
  const requests = async (): Promise<number> => {
    // One of its own comes behind all that wait.
    const own = new Promise<void>((resolve) => {
      const onMessage = (_request: Uint8Array, sender: { readonly port: number }): void => {
        if (sender.port !== port) return
        server.off("message", onMessage)
        resolve()
      }
      server.on("message", onMessage)
    })
    server.send("own", port, "127.0.0.1")
    await own
    return count
  }
  return { server, address: `127.0.0.1:${port}`, requests }
}

/** By file of the repository, the names of those of its functions that ran; one without a name is `""`. */
export const functionsThatRan = async (
  work: () => Promise<void>
): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
  await work()
  const { result } = await session.post("Profiler.takePreciseCoverage")
  session.disconnect()
  const ran = new Map<string, ReadonlyArray<string>>()
  for (const { functions, url } of result) {
    if (!url.startsWith(root.href) || url.includes("/node_modules/")) continue
    const names = functions.filter(({ ranges }) => ranges[0]!.count > 0).map(({ functionName }) => functionName)
    if (names.length > 0) ran.set(url.slice(root.href.length), names)
  }
  return ran
}
