/** Serves the built site under a path, as a static web host does. */
import { readFileSync } from "node:fs"
import { type Server, createServer } from "node:http"
import { type AddressInfo } from "node:net"
import { extname, join } from "node:path"

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".txt": "text/plain"
}

/** A running server. `url` is the address of the site. */
export interface Served extends AsyncDisposable {
  readonly url: string
}

/** Serves a folder under the path `base`, which ends with a slash. */
export const serve = async (folder: string, base: string): Promise<Served> => {
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site.invalid")
    const inside = pathname.startsWith(base) ? decodeURIComponent(pathname.slice(base.length)) : undefined
    try {
      const path = join(folder, inside === "" || inside?.endsWith("/") ? `${inside}index.html` : inside!)
      const body = readFileSync(path)
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
