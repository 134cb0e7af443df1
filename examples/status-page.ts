/**
 * A status page as a `fetch` handler that returns HTML. This file is for Bun, which serves the default export of a program:
 *
 *     SERVERS=192.0.2.7:27015,192.0.2.8 PORT=8080 bun status-page.ts
 *
 * For Deno, change the import and run this file with `deno serve --unstable-net --allow-net --allow-env`.
 *
 * @module
 */
import type { PromiseClient } from "@sourcewire/transport-node"
import { connect } from "@sourcewire/transport-bun"

const servers = (process.env["SERVERS"] ?? "127.0.0.1:27015").split(",")
const client = await connect({ timeoutMs: 1500 })

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const makeRow = async (client: PromiseClient, address: string): Promise<string> => {
  try {
    const info = await client.info(address)
    const cells = [info.name, info.map, `${info.players}/${info.maxPlayers}`]
    return `<tr><td>${cells.map(escape).join("</td><td>")}</td></tr>`
  } catch {
    return `<tr><td>${escape(address)}</td><td colspan="2">does not respond</td></tr>`
  }
}

// The page is cached, so that more readers do not cause more queries.
const CACHE_MS = 10_000
let page: { readonly html: Promise<string>; readonly madeAt: number } | undefined

const makePage = async (): Promise<string> => {
  const rows = await Promise.all(servers.map((address) => makeRow(client, address)))
  return `<!doctype html><title>Our servers</title><table>${rows.join("")}</table>`
}

export default {
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"] ?? 8080),
  async fetch(): Promise<Response> {
    if (page === undefined || Date.now() - page.madeAt > CACHE_MS) page = { html: makePage(), madeAt: Date.now() }
    return new Response(await page.html, { headers: { "Content-Type": "text/html; charset=utf-8" } })
  }
}
