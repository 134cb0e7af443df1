/** The built page on a host that serves files and nothing else, under a path, as the website of the documentation has it. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser, BrowserContextOptions } from "playwright-core"
import { readPage } from "@sourcewire/ui/page-files"
import type { Opened } from "./stage.ts"

const PREFIX = "/some/path"

/** Opens the page where nothing but its files is served, and lists what goes wrong in it. */
export const openStatically = async (
  browser: Browser,
  url: string,
  fragment: string,
  options: BrowserContextOptions = {}
): Promise<Opened> => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options })
  const page = await context.newPage()
  const errors: Array<string> = []
  page.on("pageerror", (error) => errors.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text())
  })
  await page.goto(`${url}${fragment}`)
  await page.waitForSelector("main > *")
  return { page, errors }
}

/** Serves a directory until it is disposed of; requests for anything else are listed. */
export const serveStatically = async (directory: string) => {
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
  return {
    url: `http://127.0.0.1:${port}${PREFIX}/`,
    unknown,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
}
