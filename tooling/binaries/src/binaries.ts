/**
 * Builds the program for each platform as a single file, which includes the web pages. Also writes the checksums of these files.
 *
 *     pnpm binaries                          all platforms, into tooling/binaries/dist
 *     pnpm binaries linux-x64 linux-arm64    only these platforms
 *     pnpm binaries --test                   only this machine's platform; also runs the tests of the command line with the built file
 *
 * `docs/adr/0014-single-file-programs.md` explains why the files contain Bun and not Node. If the Bun executable for a platform is not
 * installed on this machine, npm downloads it, and verifies its hash in `runtimes/package-lock.json`.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { programs } from "../../programs/programs.mjs"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const runtimes = join(root, "tooling/binaries/runtimes")
const dist = join(root, "tooling/binaries/dist")

/** Maps Node's name of each platform to the name of Bun's package for this platform. */
const PLATFORMS: Readonly<Record<string, string>> = {
  "darwin-arm64": "bun-darwin-aarch64",
  "darwin-x64": "bun-darwin-x64",
  "linux-arm64": "bun-linux-aarch64",
  "linux-arm64-musl": "bun-linux-aarch64-musl",
  "linux-x64": "bun-linux-x64",
  "linux-x64-musl": "bun-linux-x64-musl",
  "win32-arm64": "bun-windows-aarch64",
  "win32-x64": "bun-windows-x64"
}
const OWN = `${process.platform}-${process.arch}`

const run = (command: string, args: ReadonlyArray<string>, cwd: string, env = process.env): void => {
  const { error, status } = spawnSync(command, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] })
  if (status !== 0) throw error ?? new Error(`${command} ${args[0]} ended with ${status}`)
}

/** Returns the path of the Bun executable for a platform, and downloads this executable if necessary. */
const findBun = (platform: string): string => {
  if (platform === OWN && existsSync(programs.bun)) return programs.bun
  const [os, cpu, libc = "glibc"] = platform.split("-") as [string, string, string?]
  const folder = join(runtimes, "dist", platform)
  const binary = join(folder, "node_modules/@oven", PLATFORMS[platform]!, os === "win32" ? "bin/bun.exe" : "bin/bun")
  if (existsSync(binary)) return binary
  mkdirSync(folder, { recursive: true })
  for (const name of ["package.json", "package-lock.json", ".npmrc"]) cpSync(join(runtimes, name), join(folder, name))
  const own = ["--os", os, "--cpu", cpu, ...(os === "linux" ? ["--libc", libc] : [])]
  run("npm", ["ci", "--ignore-scripts", ...own], folder)
  return binary
}

/** Bundles the program and its pages into one folder. */
const bundleInto = (folder: string): void => {
  run(process.execPath, [join(root, "tooling/presets/program.ts"), folder], join(root, "apps/cli"))
  for (const page of ["playground", "dashboard"]) {
    const app = join(root, "apps", page)
    run(process.execPath, [join(app, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"], app)
    cpSync(join(app, "dist"), join(folder, page), { recursive: true })
  }
}

const compile = (folder: string, platform: string): string => {
  const name = `sourcewire-${platform}${platform.startsWith("win32") ? ".exe" : ""}`
  run(
    programs.bun,
    [
      "build",
      "--compile",
      `--target=${PLATFORMS[platform]!}`,
      `--compile-executable-path=${findBun(platform)}`,
      // With bytecode, the program starts in a third of the time that it needs without bytecode.
      "--bytecode",
      "--format=esm",
      // Without these flags, the program would read `.env` and `bunfig.toml` from the current folder.
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      "--asset=playground",
      "--asset=dashboard",
      `--outfile=${join(dist, name)}`,
      "sourcewire.js"
    ],
    folder
  )
  return name
}

const args = process.argv.slice(2)
const isTest = args.includes("--test")
const named = args.filter((arg) => arg !== "--test")
const wanted = isTest ? [OWN] : named.length === 0 ? Object.keys(PLATFORMS) : named
const unknown = wanted.find((platform) => !Object.hasOwn(PLATFORMS, platform))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(PLATFORMS).join(", ")}`)

await using folder = await mkdtempDisposable(join(tmpdir(), "sourcewire-binaries-"))
bundleInto(folder.path)
rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
const sums = wanted.map((platform) => {
  const name = compile(folder.path, platform)
  return `${createHash("sha256")
    .update(readFileSync(join(dist, name)))
    .digest("hex")}  ${name}\n`
})
writeFileSync(join(dist, "SHA256SUMS"), sums.join(""))
if (isTest) {
  const program = join(dist, sums[0]!.trim().split("  ")[1]!)
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  run(process.execPath, [vitest, "run", "--project", "cli"], root, { ...process.env, SOURCEWIRE_PROGRAM: program })
}
