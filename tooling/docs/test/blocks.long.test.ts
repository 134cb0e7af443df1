/**
 * Every code block of the documentation, those of the doc comments too: it compiles, and it runs. Addresses are those of servers that
 * are started for it; nothing leaves the machine.
 */
import { startServer } from "@sourcewire/emulator"
import { startMaster, startRconServer } from "@sourcewire/server"
import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { programs } from "../../programs/programs.mjs"
import { commentBlocks, markdownBlocks } from "../src/blocks.ts"
import { root } from "../src/declarations.ts"

const blocks = [...markdownBlocks(), ...commentBlocks()]
// Below this package, so that what a block imports is found.
const scratch = fileURLToPath(new URL("../.blocks", import.meta.url))
const shell = process.platform === "win32"

/** What a block that goes on until it is stopped may take, in ms. */
const ENDLESS_MS = 1500
/** What others may take: two run the whole conformance suite, beside other tests. */
const PATIENCE_MS = 90_000

const world = new AsyncDisposableStack()
let complaints = ""
let here: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = []

/** A server on a UDP port, and its console on the TCP port of that number. */
const startBoth = async (): Promise<number> => {
  for (;;) {
    const server = await startServer({ transport, intercept: inFront(new HandshakeResponder()) })
    const { port } = server
    const handler = (command: string) => `${command}\n`
    const options = { transport, engine: "source", password: "secret", port, handler } as const
    try {
      world.use(await startRconServer(options))
      world.use(server)
      return port
    } catch {
      // Somebody else's TCP port; the next will be free.
      await server.close()
    }
  }
}

beforeAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  blocks.forEach(({ code }, i) => writeFileSync(join(scratch, `block${i}.ts`), `${code}\nexport {}\n`))
  const options = { types: ["node"], noUnusedLocals: false, lib: ["es2024", "esnext.disposable", "dom"], rootDir: root }
  const project = { extends: "../../../tsconfig.base.json", compilerOptions: options, include: ["block*.ts"] }
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(project))
  complaints = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["--project", scratch, "--pretty", "false"], {
    encoding: "utf8",
    shell
  }).stdout

  const [port, other] = [await startBoth(), await startBoth()]
  const servers = [{ address: `127.0.0.1:${port}` }]
  const master = world.use(await startMaster({ transport, servers }))
  here = [
    [/\b(?:127\.0\.0\.1|192\.0\.2\.\d+|localhost):(?:27015|25575)\b/g, `127.0.0.1:${port}`],
    [/\b127\.0\.0\.1:2701[01]\b/g, `127.0.0.1:${master.port}`],
    [/\b(?:127\.0\.0\.1|192\.0\.2\.\d+):270\d\d\b/g, `127.0.0.1:${other}`],
    [/\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+\b/g, "127.0.0.1"],
    [/\bport: \d+\b/g, "port: 0"]
  ]
}, 60_000)

afterAll(async () => {
  await world.disposeAsync()
  rmSync(scratch, { recursive: true, force: true })
})

const runtimeOf = (code: string): readonly [string, ...Array<string>] => {
  if (code.includes("@sourcewire/transport-deno")) {
    return [programs.deno, "run", "--unstable-net", "--allow-net"]
  }
  return [code.includes("@sourcewire/transport-bun") ? programs.bun : programs.node]
}

/** Runs a block and gives how it ended: `running` when it had to be stopped. */
const run = (code: string, program: string): Promise<string> =>
  new Promise((resolve) => {
    const [command, ...args] = runtimeOf(code)
    const child = spawn(command, [...args, program], { cwd: scratch })
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    const timer = setTimeout(() => child.kill(), isEndless(code) ? ENDLESS_MS : PATIENCE_MS)
    child.once("close", (status) => {
      clearTimeout(timer)
      resolve(status === 0 ? "ended" : status === null && stderr === "" ? "running" : `${status}: ${stderr}`)
    })
  })

/** It listens until somebody stops it. */
const isEndless = (code: string): boolean => /await logs\(|createSocket/.test(code)

describe.concurrent("a code block", { timeout: PATIENCE_MS + 10_000 }, () => {
  it.each(blocks.map(({ where }, i) => [where, i] as const))("%s", async (_, i) => {
    const { code } = blocks[i]!
    const wrong = complaints.split("\n").filter((line) => line.includes(`block${i}.ts`))
    expect(wrong).toEqual([])
    const moved = here.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), code)
    const program = join(scratch, `moved${i}.ts`)
    writeFileSync(program, moved)
    expect(await run(code, program)).toMatch(isEndless(code) ? /^(ended|running)$/ : /^ended$/)
  })
})

it("finds the blocks", () => {
  expect(blocks.length).toBeGreaterThan(40)
})
