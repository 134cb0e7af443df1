/**
 * Installs a transport with the package manager of each runtime, and runs the first program of its README. Each installation uses a new
 * folder and an empty cache. The test's registry contains only our packages, so an installation that needs any other package fails.
 */
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { programs } from "../../programs/programs.mjs"
import { follow, type Installer, installers } from "../src/installers.ts"
import { root } from "../../checks/src/workspace.ts"
import { packAll, run } from "../src/packed.ts"
import { type Registry, serveRegistry } from "../src/registry.ts"

const MAX_BYTES = 4_000_000
const MAX_PACKAGES = 3
/** Maximum size of the package `@sourcewire/games`, in bytes. The README of this package says "a quarter of a megabyte". */
const MAX_GAMES_BYTES = 275_000

const scratch = await mkdtemp(join(tmpdir(), "sourcewire-installs-"))
let registry: Registry
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  const packs = join(scratch, "packs")
  await mkdir(packs)
  registry = await serveRegistry(await packAll(packs))
  server = await startServer({ transport: layer })
}, 600_000)
afterAll(async () => {
  registry.close()
  await server.close()
  await rm(scratch, { recursive: true, maxRetries: 3 })
})

/** Path of a folder for an installer. The folder's name must be a valid package name, because npm requires this. */
const formatFolder = ({ name }: Installer, prefix = ""): string =>
  join(scratch, prefix + name.toLowerCase().replace(/[^a-z]+/g, "-"))

/** The total size of the files in a folder, in bytes, and the names of the packages in this folder. Links are not followed. */
const listContents = async (directory: string): Promise<{ readonly bytes: number; readonly names: Set<string> }> => {
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

describe("the first program of a transport's README", { timeout: 60_000 }, () => {
  it.each(installers)("runs if $name installs only the package of the transport", async (installer) => {
    const directory = formatFolder(installer)
    const readme = await readFile(join(root, "packages", installer.transport, "README.md"), "utf8")
    const surroundings = {
      registry: registry.url,
      cache: `${directory}-cache`,
      server: `${server.address}:${server.port}`
    }
    expect(await follow(readme, installer, directory, surroundings)).toContain(server.profile.info!.name)
    const { bytes, names } = await listContents(join(directory, "node_modules"))
    expect([...names].filter((each) => each !== undefined)).toEqual([`@sourcewire/${installer.transport}`])
    expect(names.size).toBeLessThanOrEqual(MAX_PACKAGES)
    expect(bytes).toBeLessThan(MAX_BYTES)
  })
})

describe("@sourcewire/games", { timeout: 60_000 }, () => {
  it.each(installers)(
    "the first program of the README runs without Effect if $name has installed the package",
    async (installer) => {
      const directory = formatFolder(installer, "games-")
      const readme = await readFile(join(root, "packages", "games", "README.md"), "utf8")
      const surroundings = {
        registry: registry.url,
        cache: `${directory}-cache`,
        server: `${server.address}:${server.port}`
      }
      expect(await follow(readme, installer, directory, surroundings)).toContain("Counter-Strike: Source")
      const { names } = await listContents(join(directory, "node_modules"))
      const expected = ["@sourcewire/games", `@sourcewire/${installer.transport}`]
      expect([...names].filter((each) => each !== undefined).toSorted()).toEqual(expected)
    }
  )

  it("is installed without other packages, stays below the size limit, and can summarise a reply", async () => {
    const directory = join(scratch, "games-alone")
    await mkdir(directory)
    const code = `import { summary } from "@sourcewire/games"
      const info = {
        _tag: "InfoReply", protocol: 17, name: "A server", map: "de_dust2", folder: "rust", game: "Rust", appId: 252490,
        players: 44, maxPlayers: 94, bots: 0, serverType: "dedicated", environment: "linux", passwordProtected: false,
        vac: true, version: "2500", keywords: "mp350,cp300,qp12"
      }
      const { game, maxPlayers, players, queue } = summary("127.0.0.1:28015", { info })
      console.log(JSON.stringify([game, players, maxPlayers, queue]))`
    await writeFile(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }))
    await writeFile(join(directory, ".npmrc"), `registry=${registry.url}\n`)
    await writeFile(join(directory, "main.js"), code)
    const env = { npm_config_cache: join(directory, "cache") }
    await run("npm", ["install", "--no-audit", "--no-fund", "@sourcewire/games"], directory, env)
    expect(JSON.parse(await run(programs.node, ["main.js"], directory))).toEqual(["Rust", 300, 350, 12])
    const { bytes, names } = await listContents(join(directory, "node_modules"))
    expect([...names].filter((each) => each !== undefined)).toEqual(["@sourcewire/games"])
    expect(bytes).toBeLessThan(MAX_GAMES_BYTES)
  })
})

describe("the test of a README", { timeout: 60_000 }, () => {
  const [npm] = installers
  const readme = (code: string): string => ["```sh", "npm install tried", "```", "", "```ts", code, "```"].join("\n")

  /**
   * Creates a package with the given `exports`, and follows the instructions of a README that installs this package. The first program of
   * the README is `code`.
   */
  const tryPackage = async (name: string, exports: string, code: string): Promise<string> => {
    const directory = join(scratch, name)
    await mkdir(join(directory, "package"), { recursive: true })
    const manifest = { name: "tried", version: "1.0.0", type: "module", exports }
    await writeFile(join(directory, "package", "package.json"), JSON.stringify(manifest))
    await writeFile(join(directory, "package", "index.js"), "export const one = 1")
    const tarball = join(directory, "tried.tgz")
    await run("tar", ["-czf", tarball, "package"], directory)
    const own = await serveRegistry({ tried: tarball })
    const surroundings = { registry: own.url, cache: join(directory, "cache"), server: "127.0.0.1:9" }
    try {
      return await follow(readme(code), npm!, join(directory, "project"), surroundings)
    } finally {
      own.close()
    }
  }

  it("fails if the first program throws an error", async () => {
    const code = `import { one } from "tried"\nconsole.log(one)`
    expect(await tryPackage("right", "./index.js", code)).toBe("1\n")
    await expect(tryPackage("block", "./index.js", `${code}\nawait one.two()`)).rejects.toThrow(
      "one.two is not a function"
    )
  })

  it("fails if the package exports a file that does not exist", async () => {
    const wrong = tryPackage("export", "./dist/index.js", `import { one } from "tried"`)
    await expect(wrong).rejects.toThrow("ERR_MODULE_NOT_FOUND")
  })

  it("fails if the README does not begin with the installation", async () => {
    const beginning = follow("# tried", npm!, scratch, { registry: "", cache: "", server: "" })
    await expect(beginning).rejects.toThrow("must begin with a sh block that installs packages")
  })
})
