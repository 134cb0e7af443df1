/**
 * What somebody does first: installs a transport with the installer of his runtime, and runs the lines of its README. Fresh folders and
 * caches, from a registry that has our packages alone: an installer that wanted another would not find it.
 */
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { programs } from "../../programs/programs.mjs"
import { packAll, root, run, type Tarballs } from "../src/packed.ts"
import { type Registry, serveRegistry } from "../src/registry.ts"

const MAX_BYTES = 4_000_000
const MAX_PACKAGES = 3

const scratch = await mkdtemp(join(tmpdir(), "sourcewire-installs-"))
let tarballs: Tarballs = {}
let registry: Registry
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  const packs = join(scratch, "packs")
  await mkdir(packs)
  tarballs = await packAll(packs)
  registry = await serveRegistry(tarballs)
  server = await startServer({ transport: layer })
}, 180_000)
afterAll(async () => {
  registry.close()
  await server.close()
  await rm(scratch, { recursive: true, maxRetries: 3 })
})

/** The program of a README, asking the server of this test. */
const programOf = async (transport: string): Promise<string> => {
  const text = await readFile(join(root, "packages", transport, "README.md"), "utf8")
  return /```ts\n(.*?)```/s.exec(text)![1]!.replace("127.0.0.1:27015", `${server.address}:${server.port}`)
}

/** What is in a folder: its files, links not followed, in bytes, and the names of the packages. */
const contentsOf = async (directory: string): Promise<{ readonly bytes: number; readonly names: Set<string> }> => {
  const names = new Set<string>()
  let bytes = 0
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    bytes += (await stat(path)).size
    if (entry.name === "package.json") names.add(JSON.parse(await readFile(path, "utf8")).name)
  }
  return { bytes, names }
}

const MANIFEST = { "package.json": { private: true, type: "module" } }

const installers = [
  {
    name: "npm",
    transport: "transport-node",
    files: MANIFEST,
    install: ["npm", "install", "--no-audit", "--no-fund"],
    run: [programs.node]
  },
  {
    name: "pnpm, whose packages see only what they name",
    transport: "transport-node",
    files: { ...MANIFEST, "pnpm-workspace.yaml": { packages: [] } },
    install: ["pnpm", "add", "--config.storeDir=store"],
    run: [programs.node]
  },
  {
    name: "Bun",
    transport: "transport-bun",
    files: MANIFEST,
    install: [programs.bun, "add"],
    run: [programs.bun]
  },
  {
    name: "Deno",
    transport: "transport-deno",
    files: { "deno.json": { nodeModulesDir: "auto" } },
    install: [programs.deno, "add", "--npm"],
    run: [programs.deno, "run", "--unstable-net", "--allow-net", "--no-prompt"]
  }
] as const

describe("one package alone does what its README shows", { timeout: 60_000 }, () => {
  for (const { files, install, name, run: runtime, transport } of installers) {
    it(`by ${name}`, async () => {
      const directory = join(scratch, name.slice(0, 4))
      await mkdir(directory)
      await writeFile(join(directory, ".npmrc"), `registry=${registry.url}\n`)
      for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), JSON.stringify(text))
      const cache = join(scratch, `${name.slice(0, 4)}-cache`)
      const env = {
        NPM_CONFIG_REGISTRY: registry.url,
        npm_config_cache: cache,
        BUN_INSTALL_CACHE_DIR: cache,
        DENO_DIR: cache
      }
      const [installer, ...how] = install
      await run(installer, [...how, `@sourcewire/${transport}`], directory, env)
      const { bytes, names } = await contentsOf(join(directory, "node_modules"))
      expect([...names].filter((each) => each !== undefined)).toEqual([`@sourcewire/${transport}`])
      expect(names.size).toBeLessThanOrEqual(MAX_PACKAGES)
      expect(bytes).toBeLessThan(MAX_BYTES)

      await writeFile(join(directory, "main.mjs"), await programOf(transport))
      const [program, ...args] = runtime
      expect(await run(program, [...args, "main.mjs"], directory, env)).toContain(server.profile.info!.name)
    })
  }
})
