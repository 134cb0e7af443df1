/**
 * Implements `npm start` and `npm test`, which also work on a fresh clone, with Node 20 or newer. If the lockfile or `pnpm-workspace.yaml`
 * has changed, this program first installs the dependencies. If the lockfile contains a Node for this platform, this Node then runs the
 * task. Otherwise, the current Node runs it. Contributors with pnpm do not need this program: they run `pnpm install` and the scripts of
 * package.json.
 *
 *     node tooling/bootstrap.mjs start [ADDRESS…]   the demonstration
 *     node tooling/bootstrap.mjs sourcewire [ARG…]  the command-line program
 *     node tooling/bootstrap.mjs test [full]        all checks and tests
 *     node tooling/bootstrap.mjs release            all steps of a release except publishing
 *
 * npx installs the version of pnpm that package.json names. No lockfile contains the hash of pnpm itself, so npm verifies pnpm only against
 * the registry's metadata. pnpm-lock.yaml contains the hashes of all packages that pnpm installs.
 *
 * This file is plain JavaScript, because Node 20 does not strip types. It imports only Node's own modules.
 */
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { constants } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { programs } from "./programs/programs.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const modules = join(root, "node_modules")
const windows = process.platform === "win32"
const program = join(root, "apps", "cli", "dist", "sourcewire.js")
const env = { ...process.env, PATH: join(modules, ".bin") + delimiter + process.env.PATH }
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/**
 * Runs a command and returns its exit code. With `quiet`, the command's output is shown only if the command fails. Ctrl-C on a terminal
 * also signals the child, because the child is in the process group of this process. This process forwards other signals to the child.
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

/** Runs a command of pnpm. npx adds pnpm to PATH, so scripts that pnpm starts can call pnpm, too. */
const pnpm = (args, options) =>
  // On Windows npx is a script, which Node starts only through a shell.
  windows
    ? run("cmd", ["/c", "npx", "--yes", packageManager, ...args], options)
    : run("npx", ["--yes", packageManager, ...args], options)

const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const install = async () => {
  const installed = modifiedAt(join(modules, ".modules.yaml"))
  if (["pnpm-lock.yaml", "pnpm-workspace.yaml"].every((file) => modifiedAt(join(root, file)) < installed)) return
  console.error("Installing dependencies …")
  const status = await pnpm(["install", "--frozen-lockfile"], { quiet: !process.stderr.isTTY })
  if (status !== 0) process.exit(status)
}

/** Time of the latest change of any file below a path, in milliseconds. The folders of dependencies, build output and tests are ignored. */
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

/**
 * Commands that serve a web page, each with the folder of this page in `apps`. A page is built when its command is used for the first time.
 */
const PAGES = { playground: "playground", monitor: "dashboard" }

const buildPage = async (page) => {
  const app = join(root, "apps", page)
  if (existsSync(join(app, "dist", "index.html"))) return
  console.error("Building the page …")
  await runOrExit(node24, [join(app, "node_modules/vite/bin/vite.js"), "build"], { cwd: app, quiet: true })
}

const [task, ...args] = process.argv.slice(2)

await install()
const node24 = existsSync(programs.node) ? programs.node : process.execPath
switch (task) {
  case "start":
  case "sourcewire":
    await buildProgram()
    if (Object.hasOwn(PAGES, args[0])) await buildPage(PAGES[args[0]])
    process.exit(await run(node24, [program, ...(task === "start" ? ["demo"] : []), ...args]))
  case "test":
    process.exit(await pnpm(["exec", "node", "tooling/checks/src/all.ts", ...args]))
  case "release":
    process.exit(await pnpm(["exec", "node", "tooling/packaging/src/release.ts"]))
  default:
    console.error("usage: node tooling/bootstrap.mjs start [ADDRESS…] | sourcewire [ARG…] | test [full] | release")
    process.exit(2)
}
