/**
 * Runs all steps of a release (docs/releasing.md) except publishing. Each step prints its result. At the end, the program lists the
 * remaining tasks that only a maintainer can do. The exit code is 0 if all steps succeed, even if such tasks remain.
 *
 *     pnpm release:dry
 */
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { execFileSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { programs } from "../../programs/programs.mjs"
import { address, hasAddress } from "../../checks/src/publication.ts"
import { published, root, type WorkspacePackage } from "../../checks/src/workspace.ts"
import { follow, type Installer, installers } from "./installers.ts"
import { runForOutput, packAll, packEffect, run } from "./packed.ts"
import { serveRegistry } from "./registry.ts"

/**
 * Creates a step that runs a script of the root package. The last line that the script prints to standard error is the result of the step.
 */
const check = (name: string) => ({
  name,
  find: async () => (await runForOutput("pnpm", ["run", name], root)).stderr.trim().split("\n").at(-1)!
})

/** The changesets that `pnpm version-packages` has not moved into a changelog yet. */
const pending = globSync(".changeset/*.md", { cwd: root }).filter((path) => !path.endsWith("README.md"))

const version = published[0]!.manifest.version

const versions = async (): Promise<string> => {
  const others = published.filter(({ manifest }) => manifest.version !== version)
  if (others.length > 0) throw new Error(`Not of version ${version}: ${others.map(({ dir }) => dir).join(", ")}`)
  if (pending.length > 0) return `${version}, and ${pending.length} changesets for the next`
  const silent = published.filter(
    ({ dir }) => !new RegExp(`^## ${version}$`, "m").test(readFileSync(join(root, dir, "CHANGELOG.md"), "utf8"))
  )
  if (silent.length > 0) throw new Error(`No entry for ${version}: ${silent.map(({ dir }) => dir).join(", ")}`)
  return `${version}, in every changelog`
}

const build = async (): Promise<string> => {
  await run("pnpm", ["run", "build"], root)
  return "every package, from its sources"
}

const jsr = async (): Promise<string> => {
  const there = published.filter(({ dir }) => existsSync(join(root, dir, "jsr.json")))
  for (const { dir } of there) await run(programs.deno, ["publish", "--dry-run", "--allow-dirty"], join(root, dir))
  return there.map(({ manifest }) => `${manifest.name} would be taken`).join(", ")
}

/**
 * Whether the README of a package is tested with an installer. The README of a transport is tested only with the runtime of this transport.
 * The command-line program needs Node's sockets, so its README is not tested with Deno.
 */
const isFor = ({ manifest: { name } }: WorkspacePackage, installer: Installer): boolean =>
  name === "sourcewire"
    ? installer.name !== "Deno"
    : !name.startsWith("@sourcewire/transport-") || name === `@sourcewire/${installer.transport}`

const scratch = await mkdtemp(join(tmpdir(), "sourcewire-release-"))
const server = await startServer({ transport: layer })
let registry: Awaited<ReturnType<typeof serveRegistry>> | undefined

const pack = async (): Promise<string> => {
  const directory = join(scratch, "packs")
  await mkdir(directory)
  const tarballs = await packAll(directory, ["./packages/*", "sourcewire"])
  const missing = published.filter(({ manifest }) => tarballs[manifest.name] === undefined)
  if (missing.length > 0) throw new Error(`Not packed: ${missing.map(({ manifest }) => manifest.name).join(", ")}`)
  registry = await serveRegistry({ ...tarballs, effect: await packEffect(directory) })
  return `${published.length} tarballs, served by a registry on loopback`
}

/** Returns the first 50 characters of a program's output, on one line. */
const shown = (printed: string): string => JSON.stringify(printed.trim().replaceAll(/\s+/g, " ").slice(0, 50))

const firstLines = (installer: Installer) =>
  published
    .filter((one) => isFor(one, installer))
    .map(({ dir, manifest }) => ({
      name: `${installer.name}: ${manifest.name}`,
      find: async () => {
        if (registry === undefined) throw new Error("Nothing was packed")
        const printed = await follow(
          readFileSync(join(root, dir, "README.md"), "utf8"),
          installer,
          join(scratch, `${installer.name}-${dir.replaceAll("/", "-")}`),
          { registry: registry.url, cache: join(scratch, installer.name), server: `${server.address}:${server.port}` }
        )
        return `installed; its README's first program prints ${shown(printed)}`
      }
    }))

const steps = [
  { name: "versions", find: versions },
  ...["generate:check", "lockfile", "dependencies"].map(check),
  { name: "build", find: build },
  check("packages:check"),
  { name: "jsr", find: jsr },
  { name: "pack", find: pack },
  ...installers.flatMap(firstLines)
]

/** The remaining tasks that only a maintainer can do. */
const left = [
  !hasAddress &&
    `The repository's public address: replace ${address} in tooling/checks/src/publication.ts, then run \`pnpm generate\`.`,
  pending.length > 0 && "Changelogs and versions: run `pnpm version-packages`.",
  execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) !== "" &&
    "Working tree: commit the changes.",
  "On npm: reserve the names `sourcewire` and `@sourcewire`, and set the workflow that may publish each package.",
  "Private reports of vulnerabilities: enable them on the repository's host, because SECURITY.md promises them."
].filter((one) => one !== false)

try {
  const width = Math.max(...steps.map(({ name }) => name.length))
  let isWhole = true
  // If a step fails, the loop continues with the next step.
  for (const { find, name } of steps) {
    try {
      console.log(`✓ ${name.padEnd(width)}  ${await find()}`)
    } catch (error) {
      isWhole = false
      console.log(`✗ ${name.padEnd(width)}  ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  console.log(`\nLeft to a maintainer (docs/releasing.md):\n${left.map((one) => `  - ${one}\n`).join("")}`)
  process.exitCode = isWhole ? 0 : 1
} finally {
  registry?.close()
  await server.close()
  await rm(scratch, { recursive: true, maxRetries: 3 })
}
