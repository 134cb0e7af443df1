/** The packages as somebody gets them: packed, and installed from the tarballs into a project outside the workspace. */
import { execFile } from "node:child_process"
import { cp, readdir, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"

/** The repository's root. */
export const root = fileURLToPath(new URL("../../..", import.meta.url))

const env = {
  ...process.env,
  PATH: join(root, "node_modules", ".bin") + delimiter + process.env["PATH"],
  TURBO_TELEMETRY_DISABLED: "1"
}
const execute = promisify(execFile)

/** Runs a program to its end and gives what it printed; rejects with its output when it fails. */
export const run = async (
  program: string,
  args: ReadonlyArray<string>,
  cwd: string,
  more: Readonly<Record<string, string>> = {}
): Promise<string> => {
  try {
    const { stdout } = await execute(program, args, { cwd, env: { ...env, ...more }, timeout: 120_000 })
    return stdout
  } catch (error) {
    const { stderr, stdout } = error as { readonly stderr?: string; readonly stdout?: string }
    throw new Error(`${program} ${args.join(" ")}\n${stdout ?? ""}${stderr ?? ""}`, { cause: error })
  }
}

/** A tarball by the name of its package. */
export type Tarballs = Readonly<Record<string, string>>

/** Builds all libraries (those that changed) and packs them into `destination`. */
export const packAll = async (destination: string): Promise<Tarballs> => {
  await run("turbo", ["run", "build", "--filter=./packages/*", "--output-logs=errors-only"], root)
  await run("pnpm", ["--recursive", "--filter=./packages/*", "pack", "--pack-destination", destination], root)
  const packed = (await readdir(destination)).filter((file) => file.endsWith(".tgz"))
  return Object.fromEntries(packed.map((file) => [nameOf(file), join(destination, file)]))
}

/** `sourcewire-core-0.0.0.tgz` holds `@sourcewire/core`. */
const nameOf = (file: string): string => file.replace(/^sourcewire-(.*?)-\d.*$/, "@sourcewire/$1")

/** The workspace's own version. */
const EFFECT = "4.1.0"

/**
 * Makes a project of a folder of `projects`: its files, and the packages that it names installed from the tarballs. They depend on
 * each other by version, and no registry has that one, hence the overrides.
 */
export const makeProject = async (
  kind: string,
  directory: string,
  tarballs: Tarballs,
  packages: ReadonlyArray<string>
): Promise<void> => {
  await cp(fileURLToPath(new URL(`../projects/${kind}`, import.meta.url)), directory, { recursive: true })
  await installInto(directory, kind, tarballs, packages)
}

/** Installs packages from the tarballs into a folder, and what they need besides from the registry. */
export const installInto = async (
  directory: string,
  kind: string,
  tarballs: Tarballs,
  packages: ReadonlyArray<string>
): Promise<void> => {
  const files = Object.fromEntries(Object.entries(tarballs).map(([name, path]) => [name, pathToFileURL(path).href]))
  const dependencies = Object.fromEntries(packages.map((name) => [name, files[name] ?? EFFECT]))
  const type = kind === "node-cjs" ? "commonjs" : "module"
  const manifest = { name: kind, private: true, type, dependencies }
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest))
  await writeFile(join(directory, "pnpm-workspace.yaml"), JSON.stringify({ packages: [], overrides: files }))
  await run("pnpm", ["install", "--prefer-offline", "--ignore-scripts"], directory)
}
