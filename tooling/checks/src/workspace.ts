/** Functions for all checks. They find the packages and files of the repository, and report the result of a check. */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, posix, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** The absolute path of the repository's root, without a trailing slash. */
export const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/[/\\]$/, "")

/** The fields of a package.json that the checks read. */
export interface Manifest {
  readonly name: string
  readonly description?: string
  readonly version?: string
  readonly private?: boolean
  readonly bugs?: { readonly url: string }
  readonly exports?: Readonly<Record<string, string>>
  readonly publishConfig?: Readonly<Partial<Record<"exports" | "main" | "types" | "typesVersions", unknown>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly scripts?: Readonly<Record<string, string>>
}

export interface WorkspacePackage {
  /** Path of the package's directory, relative to the root, with forward slashes. */
  readonly dir: string
  readonly manifest: Manifest
}

/** Reads a file of the repository. `path` is relative to the root. */
export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** All packages below `packages` and `apps`, sorted by directory. */
export const packages = (): ReadonlyArray<WorkspacePackage> =>
  globSync("{packages,apps}/*/package.json", { cwd: root })
    .toSorted()
    .map((path) => ({ dir: dirname(path).replaceAll(sep, "/"), manifest: JSON.parse(read(path)) as Manifest }))

export const published: ReadonlyArray<WorkspacePackage> = packages().filter(({ manifest }) => manifest.private !== true)

/**
 * The TypeScript entries of a package. `specifier` is the import path of an entry, and `module` is the path of the entry's file, relative
 * to the root and without extension.
 */
export const listEntries = ({ dir, manifest }: WorkspacePackage) =>
  Object.entries(manifest.exports ?? {})
    .filter(([, path]) => path.endsWith(".ts"))
    .map(([key, path]) => ({
      key,
      specifier: manifest.name + key.slice(1),
      module: posix.join(dir, path.slice(0, -".ts".length))
    }))

/** Paths of all files that are in git or that `git add` would add. The paths are relative to the root. */
export const files = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024
  })
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)))
    .toSorted()

/** Ends a check. If there are problems, the function prints them and exits with 1. Otherwise, it prints the summary and exits with 0. */
export const conclude = (problems: ReadonlyArray<string>, summary: string): never => {
  for (const problem of problems) console.error(problem)
  console.error(problems.length === 0 ? summary : `${problems.length} to mend`)
  process.exit(problems.length === 0 ? 0 : 1)
}
