/** The built page on a host that only serves files. The page is served under a path, as on the website of the documentation. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { BrowserContextOptions } from "playwright-core"
import { readPage } from "@sourcewire/ui/page-files"
import { type Opened, type Stage, openPage, setStage } from "./stage.ts"

const PREFIX = "/some/path"

/** A stage whose page is also served without a bridge. */
export interface StaticStage extends Stage {
  /** Opens the page at a fragment, without a bridge. Without a fragment, it shows its first screen. */
  readonly openStatic: (fragment?: string, options?: BrowserContextOptions) => Promise<Opened>
  /** Requests for paths at which the page has no file. */
  readonly unknown: ReadonlyArray<string>
}

/** Serves a directory until it is disposed of. */
const serveStatically = async (directory: string) => {
  const files = readPage(directory)
  const unknown: Array<string> = []
  const server = createServer(({ url = "" }, response) => {
    const path = url.split("?", 1)[0]!
    const file = path.startsWith(PREFIX) ? files.get(path.slice(PREFIX.length)) : undefined
    if (file === undefined) unknown.push(url)
    response.writeHead(file === undefined ? 404 : 200, { "content-type": file?.contentType ?? "text/plain" })
    response.end(file?.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}${PREFIX}/`, unknown, close }
}

/** Builds the page, serves it with a bridge and without, and starts the browser. */
export const setStaticStage = async (): Promise<StaticStage> => {
  const stage = await setStage()
  const { close, unknown, url } = await serveStatically(stage.built)
  return {
    ...stage,
    openStatic: (fragment = "", options = {}) => openPage(stage.browser, `${url}${fragment}`, options),
    unknown,
    [Symbol.asyncDispose]: async () => {
      await close()
      await stage[Symbol.asyncDispose]()
    }
  }
}
