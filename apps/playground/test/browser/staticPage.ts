/** Serves the built page from a static web server. As on the documentation's website, the page has a path below the root. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { BrowserContextOptions } from "playwright-core"
import { readPage } from "@sourcewire/ui/page-files"
import { type Opened, type Stage, openPage, setStage } from "./stage.ts"

const PREFIX = "/some/path"

/** A {@link Stage} that also serves the page without a bridge. */
export interface StaticStage extends Stage {
  /** Opens the page without a bridge. Without a fragment, the page shows its first screen. */
  readonly openStatic: (fragment?: string, options?: BrowserContextOptions) => Promise<Opened>
  /** Paths of requests for files that do not exist. */
  readonly unknown: ReadonlyArray<string>
}

/** Serves a directory until `close` is called. */
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

/** Calls {@link setStage}, and also serves the page without a bridge. */
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
