/** Packs our packages into tarballs, and installs these tarballs as a user does: into a project outside the workspace. */
import { execFile } from "node:child_process"
import { readdir, rm, symlink, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { root } from "../../checks/src/workspace.ts"

const env = {
  ...process.env,
  PATH: join(root, "node_modules", ".bin") + delimiter + process.env["PATH"],
  TURBO_TELEMETRY_DISABLED: "1"
}
const execute = promisify(execFile)

/**
 * Runs a program, and returns its standard output and standard error. If the program fails, rejects with an error that contains both
 * outputs.
 */
export const runForOutput = async (
  program: string,
  args: ReadonlyArray<string>,
  cwd: string,
  more: Readonly<Record<string, string>> = {}
): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  try {
    // After the time limit, SIGKILL ends the program. A program that handles SIGTERM could exit with 0, as if it had completed its work.
    const limits = { timeout: 600_000, killSignal: "SIGKILL" } as const
    return await execute(program, args, { cwd, env: { ...env, ...more }, ...limits })
  } catch (error) {
    const printed = error as Partial<Record<"code" | "signal" | "stderr" | "stdout", string>>
    const { code, signal, stderr = "", stdout = "" } = printed
    throw new Error(`${program} ${args.join(" ")}: ${signal ?? code}\n${stdout}${stderr}`, { cause: error })
  }
}

/** Runs a program and returns its standard output. */
export const run = async (...command: Parameters<typeof runForOutput>): Promise<string> =>
  (await runForOutput(...command)).stdout

/** The paths of the tarballs, by the names of their packages. */
export type Tarballs = Readonly<Record<string, string>>

/**
 * Builds packages that have changed since their last build, and packs all packages in `which` (default: all libraries) into tarballs in
 * `destination`.
 */
export const packAll = async (
  destination: string,
  which: ReadonlyArray<string> = ["./packages/*"]
): Promise<Tarballs> => {
  const filters = which.map((filter) => `--filter=${filter}`)
  await run("turbo", ["run", "build", ...filters, "--output-logs=errors-only"], root)
  await run("pnpm", ["--recursive", ...filters, "pack", "--pack-destination", destination], root)
  const packed = (await readdir(destination)).filter((file) => file.endsWith(".tgz"))
  return Object.fromEntries(packed.map((file) => [packageName(file), join(destination, file)]))
}

/**
 * Derives the name of a package from the file name of its tarball. For example, `sourcewire-core-1.0.0-rc.1.tgz` contains the package
 * `@sourcewire/core`, and `sourcewire-1.0.0-rc.1.tgz` contains `sourcewire`.
 */
const packageName = (file: string): string => {
  const [, library] = /^sourcewire-(?:(\D*)-)?\d/.exec(file) ?? []
  return library === undefined ? "sourcewire" : `@sourcewire/${library}`
}

/** Packs the installed Effect into a tarball, in which the files have the same paths as in a tarball of the registry. */
export const packEffect = async (destination: string): Promise<string> => {
  const tarball = join(destination, "effect.tgz")
  const link = join(destination, "package")
  await symlink(join(root, "node_modules", "effect"), link)
  await run("tar", ["-czhf", tarball, "package"], destination)
  await rm(link)
  return tarball
}

/** The version of Effect that is installed in the workspace. */
const EFFECT = "4.1.0"

/**
 * Creates a project in a folder, and installs our packages from their tarballs and all other dependencies from the registry. The registry
 * does not have this version of our packages yet. Therefore, if one of our packages depends on another one, the project overrides this
 * dependency with the tarball.
 */
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
