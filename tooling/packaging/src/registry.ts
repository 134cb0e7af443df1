/**
 * Serves a package registry on loopback. The registry contains the packed packages. It also describes `effect`, because npm requests the
 * description of this peer dependency even if the dependency is optional. If `tarballs` does not contain `effect`, npm finds this
 * description, but cannot download `effect`.
 */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { root } from "../../checks/src/workspace.ts"
import { run, type Tarballs } from "./packed.ts"

export interface Registry {
  readonly url: string
  readonly close: () => void
}

interface Known {
  readonly name: string
  readonly version: string
}

const published = async (name: string, path: string) => {
  const manifest = await run("tar", ["-xzOf", path, "package/package.json"], join(path, ".."))
  return { name, manifest: JSON.parse(manifest) as Known, tarball: await readFile(path) }
}

const packument = (manifest: Known, dist: object): string => {
  const { name, version } = manifest
  return JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } })
}

export const serveRegistry = async (tarballs: Tarballs): Promise<Registry> => {
  const all = await Promise.all(Object.entries(tarballs).map(([name, path]) => published(name, path)))
  const peer = JSON.parse(await readFile(join(root, "node_modules/effect/package.json"), "utf8")) as Known
  const server = createServer(({ url = "/" }, response) => {
    const path = decodeURIComponent(url.slice(1))
    response.setHeader("Content-Type", "application/json")
    if (path === peer.name && tarballs[path] === undefined)
      return response.end(packument(peer, { tarball: `${origin()}${peer.name}.tgz` }))
    const found = all.find(({ name }) => path === name || path === `${name}.tgz`)
    if (found === undefined) return response.writeHead(404).end()
    const { manifest, name, tarball } = found
    if (path.endsWith(".tgz")) return response.end(tarball)
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`
    const shasum = createHash("sha1").update(tarball).digest("hex")
    const dist = { tarball: `${origin()}${name}.tgz`, integrity, shasum }
    return response.end(packument(manifest, dist))
  })
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: origin(), close: () => void server.close() }
}
