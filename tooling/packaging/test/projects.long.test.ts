/** Tests the packed packages in small projects. Each project installs the tarballs, and is then type-checked, built or run. */
import { build } from "esbuild"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { programs } from "../../programs/programs.mjs"
import { dumpDomArguments, externalBrowser } from "../../testing/browser/program.ts"
import { installInto, packAll, run, type Tarballs } from "../src/packed.ts"
import { root } from "../../checks/src/workspace.ts"

const NODE = ["@sourcewire/core", "@sourcewire/emulator", "@sourcewire/transport-node"]
const SERVER_NAME = "Sourcewire Emulator | de_dust2 24/7 | 66 tick\n"
// The package `workerd` has no types.
const { default: workerdProgram } = createRequire(import.meta.url)("workerd") as { readonly default: string }
const typescript5 = fileURLToPath(new URL("../node_modules/typescript5/bin/tsc", import.meta.url))
const chromium = externalBrowser()

const scratch = await mkdtemp(join(tmpdir(), "sourcewire-packaging-"))
let tarballs: Tarballs = {}
beforeAll(async () => {
  tarballs = await packAll(scratch)
}, 600_000)
afterAll(() => rm(scratch, { recursive: true, maxRetries: 3 }))

const project = async (kind: string, packages: ReadonlyArray<string>, withEffect = true): Promise<string> => {
  const directory = join(scratch, kind)
  await cp(join(import.meta.dirname, "projects", kind), directory, { recursive: true })
  await installInto(directory, kind, tarballs, withEffect ? [...packages, "effect"] : packages)
  return directory
}

describe("packages from tarballs work", { timeout: 600_000 }, () => {
  it("in Node, as ES modules", async () => {
    const directory = await project("node-esm", NODE)
    expect(await run(programs.node, ["main.js"], directory)).toBe(SERVER_NAME)
    expect(await run(programs.node22, ["main.js"], directory)).toBe(SERVER_NAME)
  })

  it("in Node, with require", async () => {
    const directory = await project("node-cjs", NODE)
    expect(await run(programs.node, ["main.cjs"], directory)).toBe(SERVER_NAME)
    expect(await run(programs.node22, ["main.cjs"], directory)).toBe(SERVER_NAME)
  })

  it("in TypeScript, and their declarations have no errors", async () => {
    const directory = await project("typescript", [
      "@sourcewire/protocol",
      "@sourcewire/proxy",
      "@sourcewire/server",
      ...NODE
    ])
    expect(await run("tsc", ["--project", directory], root)).toBe("")
    const bundler = ["--module", "esnext", "--moduleResolution", "bundler"]
    expect(await run("tsc", ["--project", directory, ...bundler], root)).toBe("")
  })

  it("in TypeScript, with promises and without Effect", async () => {
    const directory = await project("promises", ["@sourcewire/transport-node"], false)
    expect(await run("tsc", ["--project", directory], root)).toBe("")
    const bundler = ["--module", "esnext", "--moduleResolution", "bundler"]
    expect(await run("tsc", ["--project", directory, ...bundler], root)).toBe("")
  })

  // TypeScript 7 does not support node10. Effect's own types do not resolve with node10, so only programs without Effect are tested.
  it("in TypeScript 5 with moduleResolution node10, without Effect", async () => {
    const directory = await project("node10", ["@sourcewire/games", "@sourcewire/transport-node"], false)
    expect(await run(programs.node, [typescript5, "--project", directory], root)).toBe("")
  })

  it("in Deno", async () => {
    const directory = await project("deno", ["@sourcewire/core", "@sourcewire/emulator", "@sourcewire/transport-deno"])
    const flags = ["--unstable-net", "--allow-net", "--no-prompt", "--check"]
    expect(await run(programs.deno, ["run", ...flags, "main.ts"], directory)).toBe(SERVER_NAME)
  })

  it("in Bun", async () => {
    const directory = await project("bun", ["@sourcewire/core", "@sourcewire/emulator", "@sourcewire/transport-bun"])
    expect(await run(programs.bun, ["main.ts"], directory)).toBe(SERVER_NAME)
  })

  it("in a page that Vite builds", async () => {
    const directory = await project("vite", ["@sourcewire/protocol"])
    const vite = fileURLToPath(new URL("../node_modules/vite/bin/vite.js", import.meta.url))
    await run(programs.node, [vite, "build", "--logLevel", "error"], directory)
    if (chromium === undefined) return
    expect(await renderPage(join(directory, "dist"), chromium)).toContain("<output>PingReply</output>")
  })

  it("in a worker that workerd runs", async () => {
    const directory = await project("worker", ["@sourcewire/protocol"])
    await build({
      entryPoints: [join(directory, "main.js")],
      outfile: join(directory, "worker.js"),
      bundle: true,
      format: "esm",
      platform: "neutral",
      conditions: ["workerd", "worker", "browser"],
      minify: true,
      logLevel: "error"
    })
    const workerd = spawn(workerdProgram, ["serve", "--control-fd=3", "config.capnp"], {
      cwd: directory,
      stdio: ["ignore", "inherit", "inherit", "pipe"]
    })
    try {
      // When workerd is ready, it prints {"event":"listen","socket":"http","port":…}.
      const [line] = (await once(workerd.stdio[3]!, "data")) as [Buffer]
      const { port } = JSON.parse(line.toString()) as { readonly port: number }
      const post = (body: Uint8Array<ArrayBuffer>) => fetch(`http://127.0.0.1:${port}/`, { method: "POST", body })
      expect(await (await post(Uint8Array.of(255, 255, 255, 255, 0x6a, 0))).json()).toMatchObject({ _tag: "PingReply" })
      expect((await post(Uint8Array.of(1))).status).toBe(400)
    } finally {
      workerd.kill()
    }
  })
})

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" }

/** Returns the DOM that Chromium creates from a folder's `index.html`. An HTTP server on loopback serves the folder. */
const renderPage = async (directory: string, browser: string): Promise<string> => {
  const server = createServer(async ({ url = "/" }, response) => {
    const path = join(directory, url === "/" ? "index.html" : url)
    try {
      const body = await readFile(path)
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream").end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const dump = dumpDomArguments(join(scratch, "chromium"), `http://127.0.0.1:${port}/`)
  try {
    return await run(browser, ["--virtual-time-budget=5000", ...dump], scratch)
  } finally {
    server.close()
  }
}
