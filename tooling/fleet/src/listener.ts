/** An HTTP server on loopback that receives webhooks. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export const startListener = async () => {
  const times = new Map<number, number>()
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      const { alerts } = JSON.parse(body) as { readonly alerts: ReadonlyArray<{ readonly id: number }> }
      for (const { id } of alerts) times.set(id, (times.get(id) ?? 0) + 1)
      response.writeHead(204).end()
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /**
     * `different` is the number of changes that the server received at least once. `repeatedly` is the number of changes that the server
     * received more than once.
     */
    counts: () => ({ different: times.size, repeatedly: [...times.values()].filter((count) => count > 1).length }),
    stop: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}
