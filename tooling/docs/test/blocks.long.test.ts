/**
 * Checks that every code block of the documentation and of doc comments compiles and runs. Before a block runs, the addresses in it are
 * replaced with addresses of servers on loopback.
 */
import { startServer } from "@sourcewire/emulator"
import { startMaster, startRconServer } from "@sourcewire/server"
import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { execFile, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { programs } from "../../programs/programs.mjs"
import { commentBlocks, markdownBlocks } from "../src/blocks.ts"
import { root } from "../../checks/src/workspace.ts"

const blocks = [...markdownBlocks(), ...commentBlocks()]
// The folder is inside this package, so that Node finds the imports of a block.
const scratch = fileURLToPath(new URL("../.blocks", import.meta.url))
const shell = process.platform === "win32"

/** Time after which a block that does not end by itself is stopped, in ms. */
const ENDLESS_MS = 1500
/** Time limit for each block that ends by itself, in ms. Two blocks run the whole conformance suite, at the same time as other tests. */
const PATIENCE_MS = 90_000

const world = new AsyncDisposableStack()
let complaints = ""
let port = 0
let monitorPort = 0
let here: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = []

/** Starts a server on a UDP port, and its console on the TCP port with the same number. */
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
      // If another program uses the TCP port, the loop tries another port.
      await server.close()
    }
  }
}

beforeAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  blocks.forEach(({ code, language }, i) =>
    writeFileSync(join(scratch, `block${i}.${language}`), `${code}\nexport {}\n`)
  )
  const options = { types: ["node"], noUnusedLocals: false, lib: ["es2024", "esnext.disposable", "dom"], rootDir: root }
  const project = { extends: "../../../tsconfig.base.json", compilerOptions: options, include: ["block*.ts"] }
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(project))
  complaints = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["--project", scratch, "--pretty", "false"], {
    encoding: "utf8",
    shell
  }).stdout

  port = await startBoth()
  const other = await startBoth()
  monitorPort = await startMonitor()
  const servers = [{ address: `127.0.0.1:${port}` }]
  const master = world.use(await startMaster({ transport, servers }))
  here = [
    [/\b(?:127\.0\.0\.1|192\.0\.2\.\d+|localhost):(?:27015|25575)\b/g, `127.0.0.1:${port}`],
    [/\b127\.0\.0\.1:2701[01]\b/g, `127.0.0.1:${master.port}`],
    [/\b(?:127\.0\.0\.1|192\.0\.2\.\d+):270\d\d\b/g, `127.0.0.1:${other}`],
    [/\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+\b/g, "127.0.0.1"],
    [/("127\.0\.0\.1",\s+(?:port: )?)27015\b/g, `$1${port}`],
    [/(?<!host: "127\.0\.0\.1",\s+)\bport: \d+\b/g, "port: 0"],
    // The timeout is longer than in the documentation, because a server on a busy machine replies late.
    [/\bconnect\(\{ timeoutMs: \d{4}\b/g, `connect({ timeoutMs: ${PATIENCE_MS}`]
  ]
}, 60_000)

/** Starts an HTTP server that replies like a monitor, for blocks that query a monitor. */
const startMonitor = async (): Promise<number> => {
  const target = { address: "192.0.2.7:27015", state: "up", name: "Ours", map: "de_dust2", players: 3, maxPlayers: 16 }
  const server = createServer((request, response) => {
    const known = request.url?.startsWith("/api/targets?") && request.headers.authorization === "Bearer secret"
    response.writeHead(known ? 200 : 404).end(JSON.stringify({ total: 1, targets: [target] }))
  })
  world.defer(() => void server.close())
  await once(server.listen(0, "127.0.0.1"), "listening")
  return (server.address() as AddressInfo).port
}

afterAll(async () => {
  await world.disposeAsync()
  rmSync(scratch, { recursive: true, force: true })
})

/** Replaces the addresses in the code of a block with the addresses of the started servers. */
const moved = (code: string): string =>
  here.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), code)

/** Like {@link moved}, but also sets long timeouts for programs that use gamedig or source-server-query. */
const movedAndPatient = (code: string): string =>
  moved(code)
    .replace(/\b1000\b/g, String(PATIENCE_MS))
    .replace(/(\bport: \d+)/g, `$1, socketTimeout: ${PATIENCE_MS}, attemptTimeout: ${2 * PATIENCE_MS}`)

const runtimeCommand = (code: string): readonly [string, ...Array<string>] => {
  if (code.includes("@sourcewire/transport-deno")) {
    return [programs.deno, "run", "--unstable-net", "--allow-net"]
  }
  return [code.includes("@sourcewire/transport-bun") ? programs.bun : programs.node]
}

/**
 * Runs a block, and returns `ended`, `running`, or the exit code with the error output. `running` means that the block ran without an error
 * until this function stopped it at its time limit.
 */
const run = (code: string, program: string): Promise<string> =>
  new Promise((resolve) => {
    const [command, ...args] = runtimeCommand(code)
    const child = spawn(command, [...args, program], { cwd: scratch })
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    const timer = setTimeout(() => child.kill(), isEndless(code) ? ENDLESS_MS : PATIENCE_MS)
    child.once("close", (status) => {
      clearTimeout(timer)
      resolve(status === 0 ? "ended" : status === null && stderr === "" ? "running" : `${status}: ${stderr}`)
    })
  })

/** Whether a block exports a function that handles HTTP requests for a web framework or a hosting service. */
const isAsked = (code: string): boolean => /^export (const GET|default \{)/m.test(code)

/** Returns a program that calls the handler of a block once, as the web framework or the hosting service would do. */
const askOnce = (block: string): string => `import * as block from ${JSON.stringify(block)}
const { GET, default: worker } = block
const env = { MONITOR: "http://127.0.0.1:${monitorPort}", TOKEN: "secret" }
const response: Response = await (GET?.() ?? worker.fetch(new Request("https://status.example.org/"), env))
if (!response.ok || !(await response.text()).includes("de_dust2")) throw new Error(String(response.status))
process.exit()
`

/** Whether a block runs until it is stopped. */
const isEndless = (code: string): boolean => /await logs\(|createSocket/.test(code)

describe.concurrent("a code block", { timeout: PATIENCE_MS + 10_000 }, () => {
  it.each(blocks.map(({ where }, i) => [where, i] as const))("compiles and runs: %s", async (_, i) => {
    const { code, language } = blocks[i]!
    const wrong = complaints.split("\n").filter((line) => line.includes(`block${i}.ts`))
    expect(wrong).toEqual([])
    const program = join(scratch, `moved${i}.${language}`)
    writeFileSync(program, language === "js" ? movedAndPatient(code) : moved(code))
    const asked = isAsked(code) ? join(scratch, `asked${i}.ts`) : program
    if (asked !== program) writeFileSync(asked, askOnce(program))
    expect(await run(code, asked)).toMatch(isEndless(code) ? /^(ended|running)$/ : /^ended$/)
  })
})

/** Runs a program, and parses the line of JSON that it prints. */
const printed = async (name: string, code: string): Promise<unknown> => {
  const program = join(scratch, name)
  writeFileSync(program, movedAndPatient(code))
  const { stdout } = await promisify(execFile)(programs.node, [program])
  return JSON.parse(stdout)
}

/** Finds the block on a page by a text in the block, and returns the code before the first line that begins with `console.log`. */
const definition = (page: string, says: string): string =>
  blocks
    .find(({ code, where }) => where.startsWith(`${page}:`) && code.includes(says))!
    .code.replace(/^console\.log[\s\S]*/m, "")

describe("the replacement for another library", () => {
  it("returns the same result as the `query` of gamedig", async () => {
    const options = `{ type: "css", host: "127.0.0.1", port: 27015, requestRules: true }`
    const theirs = await printed(
      "theirs.js",
      `import { GameDig } from "gamedig"
       const { bots, raw, ping, players, ...state } = await GameDig.query(${options})
       const all = [...players, ...bots].map(({ name, raw }) => ({ name, raw })).sort((a, b) => a.name < b.name ? -1 : 1)
       console.log(JSON.stringify({ ...state, players: all, rules: raw.rules }))`
    )
    const ours = await printed(
      "ours.ts",
      `${definition("docs/how-to/migrate-from-gamedig.md", "export const query")}
       // The comparison excludes fields that gamedig guesses or does not return.
       const { bots, numbots, ping, players, raw, ...state } = await query(${options})
       const all = players.toSorted((a, b) => a.name < b.name ? -1 : 1)
       console.log(JSON.stringify({ ...state, players: all, rules: raw.rules }))
       await client.close()`
    )
    expect(ours).toEqual(theirs)
  })

  it("returns the same result as the `info` of source-server-query", async () => {
    const print = `console.log(JSON.stringify(await query.info("127.0.0.1", 27015), (_, value) => typeof value === "bigint" ? String(value) : value))`
    const { environment, header, port, server_type, tvport, ...theirs } = (await printed(
      "theirs2.js",
      `import query from "source-server-query"\n${print}`
    )) as Record<string, unknown>
    // These fields are not compared with our replacement. The library returns letters and negative numbers (for ports above 32767), but our
    // replacement returns words and positive numbers.
    expect([environment, header, server_type, port, tvport]).toEqual([
      "l",
      "I",
      "d",
      expect.anything(),
      expect.anything()
    ])
    const ours = await printed(
      "ours2.ts",
      `${definition("docs/how-to/migrate-from-source-server-query.md", "export const info")}
       const query = { info }
       ${print}
       await client.close()`
    )
    expect(ours).toMatchObject(theirs)
  })
})

it("the documentation contains many code blocks", () => {
  expect(blocks.length).toBeGreaterThan(40)
})
