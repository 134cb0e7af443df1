/**
 * The first thing that runs after a clone, on any Node from 20 with nothing installed: brings in the dependencies when
 * a lockfile says so, then hands over to the Node that came with them. All that it brings in has its hash in a lockfile, and
 * none of it runs a script of its own when it is installed.
 *
 *     node tooling/bootstrap.mjs start [ADDR…]      the program's demonstration
 *     node tooling/bootstrap.mjs sourcewire [ARG…]  the program
 *     node tooling/bootstrap.mjs test               everything that has to hold
 *     node tooling/bootstrap.mjs release            what a release takes, short of publishing
 *
 * It imports nothing that is not part of Node, and stays plain JavaScript: Node 20 does not strip types.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { constants } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { programs } from "./programs/programs.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const modules = join(root, "node_modules")
const windows = process.platform === "win32"
const program = join(root, "apps", "cli", "dist", "sourcewire.js")
const env = {
  ...process.env,
  PATH: join(modules, ".bin") + delimiter + process.env.PATH,
  TURBO_TELEMETRY_DISABLED: "1"
}

/**
 * Runs a command to its end and gives its exit code. With `quiet`, what it prints is shown only if it fails.
 * An interrupt at the terminal reaches the child by itself, since it is in the same process group; one sent to this
 * process alone is passed on.
 */
const run = (command, args, { cwd = root, quiet = false } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit" })
    const output = []
    child.stdout?.on("data", (chunk) => output.push(chunk))
    child.stderr?.on("data", (chunk) => output.push(chunk))
    const onInterrupt = () => process.stdin.isTTY || child.kill("SIGINT")
    const onTerminate = () => child.kill("SIGTERM")
    process.on("SIGINT", onInterrupt).on("SIGTERM", onTerminate)
    child.on("error", reject)
    child.on("close", (code, signal) => {
      process.off("SIGINT", onInterrupt).off("SIGTERM", onTerminate)
      const status = code ?? 128 + (constants.signals[signal] ?? 0)
      if (quiet && status !== 0) process.stderr.write(Buffer.concat(output))
      resolve(status)
    })
  })

const runOrExit = async (command, args, options) => {
  const status = await run(command, args, options)
  if (status !== 0) process.exit(status)
}

/** What says which dependencies are brought in, and how. */
const LOCKS = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "tooling/pnpm/package-lock.json"]

/** npm's own lockfile for pnpm, then pnpm's for everything else. */
const install = async () => {
  const hash = createHash("sha256")
  for (const file of LOCKS) hash.update(readFileSync(join(root, file)))
  const lock = hash.digest("hex")
  const stamp = join(modules, ".sourcewire-lock")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return
  console.error("Installing dependencies …")
  const quiet = !process.stderr.isTTY
  const args = ["ci", "--ignore-scripts"]
  // npm is a script there, and Node starts scripts only through a shell.
  const [npm, rest] = windows ? ["cmd", ["/c", "npm", ...args]] : ["npm", args]
  await runOrExit(npm, rest, { cwd: join(root, "tooling", "pnpm"), quiet: true })
  await runOrExit(orOwn("pnpm", "pnpm"), ["install", "--frozen-lockfile"], { quiet })
  writeFileSync(stamp, lock)
}

/** The program from the lockfile; where that has none for this platform, the machine's own, and that is said. */
const orOwn = (name, own) => {
  if (existsSync(programs[name])) return programs[name]
  console.error(`No ${name} is locked for ${process.platform} on ${process.arch}: using ${own}`)
  return own
}

/** Time of the last change below a path, in milliseconds; dependencies and output don't count. */
const changed = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return readdirSync(path)
    .filter((name) => name !== "node_modules" && name !== "dist" && name !== "test")
    .reduce((latest, name) => Math.max(latest, changed(join(path, name))), 0)
}

const buildProgram = async () => {
  const sources = ["apps/cli", "packages", "tooling/presets", "pnpm-lock.yaml"].map((path) => changed(join(root, path)))
  if (Math.max(...sources) < changed(program)) return
  console.error("Building the program …")
  await runOrExit(node24, [join(root, "tooling", "presets", "program.ts")], {
    cwd: join(root, "apps", "cli"),
    quiet: true
  })
}

/** The pages of commands that serve one; each is needed by one command only, so only that one waits for it. */
const PAGES = { playground: "playground", monitor: "dashboard" }

const buildPage = async (page) => {
  const app = join(root, "apps", page)
  if (existsSync(join(app, "dist", "index.html"))) return
  console.error("Building the page …")
  await runOrExit(node24, [join(app, "node_modules/vite/bin/vite.js"), "build"], { cwd: app, quiet: true })
}

const [task, ...args] = process.argv.slice(2)

await install()
const node24 = orOwn("node", process.execPath)
switch (task) {
  case "start":
  case "sourcewire":
    await buildProgram()
    if (Object.hasOwn(PAGES, args[0])) await buildPage(PAGES[args[0]])
    process.exit(await run(node24, [program, ...(task === "start" ? ["demo"] : []), ...args]))
  case "test":
    process.exit(await run(node24, [join(root, "tooling", "checks", "src", "all.ts"), ...args]))
  case "release":
    process.exit(await run(node24, [join(root, "tooling", "packaging", "src", "release.ts")]))
  default:
    console.error("usage: node tooling/bootstrap.mjs start [ADDR…] | sourcewire [ARG…] | test | release")
    process.exit(2)
}
