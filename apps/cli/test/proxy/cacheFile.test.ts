import type { SavedUpstream } from "@sourcewire/proxy"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdtemp, rm, stat, symlink, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readCacheFile, writeCacheFile } from "../../src/proxy/cacheFile.ts"

let directory: string
let file: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "sourcewire-cache-"))
  file = join(directory, "cache.json")
})
afterEach(() => rm(directory, { recursive: true }))

const read = () => Effect.runPromise(readCacheFile(file))
const write = (servers: ReadonlyArray<SavedUpstream>) => Effect.runPromise(writeCacheFile(file, servers))

const known: ReadonlyArray<SavedUpstream> = [
  {
    upstream: "game.example:27015",
    address: "192.0.2.1",
    oversize: { how: "split", maxBytes: 1260, layout: "source", bzip2: true },
    replies: {
      info: { takenAt: 1_790_000_000_000, datagrams: ["ffffffff49"] },
      players: { takenAt: 1_790_000_000_001, datagrams: ["ffffffff4400"] }
    }
  },
  { upstream: "192.0.2.2:27015", replies: {} }
]

describe("the cache file", () => {
  it("is treated as empty if it does not exist", async () => {
    expect(await read()).toEqual({ saved: [] })
  })

  it("contains the replies after the first write, and only its owner can read it", async () => {
    expect(await write(known)).toBeUndefined()
    expect(await read()).toEqual({ saved: known })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  const server = { upstream: "192.0.2.1:27015", replies: {} }
  it.each<readonly [content: string, ignored: string]>([
    ["", "it is not JSON"],
    ["\0\0\0\0", "it is not JSON"],
    ['{"version":1,"servers":[{"upstream":"192.0.2.1:270', "it is not JSON"],
    ["null", "it is not the cache of a proxy"],
    ["[]", "it is not the cache of a proxy"],
    ['{"servers":[]}', "it is not the cache of a proxy"],
    ['{"version":"1","servers":[]}', "it is not the cache of a proxy"],
    ['{"version":0,"servers":[]}', "another version of this program wrote it (format 0 instead of 1)"],
    ['{"version":2,"servers":{}}', "another version of this program wrote it (format 2 instead of 1)"],
    [JSON.stringify({ version: 1, servers: [{ ...server, upstream: 7 }] }), "it is not the cache of a proxy"],
    [
      JSON.stringify({ version: 1, servers: [{ ...server, oversize: { how: "split", maxBytes: 1 } }] }),
      "it is not the cache of a proxy"
    ],
    [
      JSON.stringify({ version: 1, servers: [{ ...server, replies: { info: { takenAt: "now", datagrams: [] } } }] }),
      "it is not the cache of a proxy"
    ]
  ])("is ignored if it contains %j, for the reason: %s", async (content, ignored) => {
    await writeFile(file, content)
    expect(await read()).toEqual({ saved: [], ignored })
  })

  it("is ignored if it is too large", async () => {
    await writeFile(file, "")
    await truncate(file, 64 * 1024 * 1024 + 1)
    expect(await read()).toEqual({ saved: [], ignored: "it is too large" })
  })

  it("is ignored if it is a pipe or a link to a directory, and the proxy does not wait for data", async () => {
    execFileSync("mkfifo", [file])
    expect(await read()).toEqual({ saved: [], ignored: "it is not a file" })
    await rm(file)
    await symlink(directory, file)
    expect(await read()).toEqual({ saved: [], ignored: "it is not a file" })
  })

  it("cannot be written if its folder is missing or is a file, and the reason is returned", async () => {
    await rm(directory, { recursive: true })
    expect(await write(known)).toMatch(/ENOENT/)
    expect(await read()).toEqual({ saved: [] })
    await writeFile(directory, "")
    expect(await write(known)).toMatch(/ENOTDIR/)
    expect((await read()).ignored).toMatch(/ENOTDIR/)
  })
})
