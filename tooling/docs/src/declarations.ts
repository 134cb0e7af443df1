/**
 * The packages' declarations, emitted from their sources as they are now: types are complete there, also where the sources leave
 * them to inference, and doc comments are kept.
 */
import { spawnSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync } from "oxc-parser"
import type { Module } from "./surface.ts"

/** The repository's root. */
export const root = fileURLToPath(new URL("../../..", import.meta.url))

/** A package that is published: its folder's name, and its entries by their key in `exports`. */
export interface Published {
  readonly folder: string
  readonly name: string
  readonly description: string
  readonly exports: Readonly<Record<string, string>>
}

/** Every library. Private packages are nobody's API. */
export const published = (): ReadonlyArray<Published> =>
  globSync("packages/*/package.json", { cwd: root })
    .toSorted()
    .map((path) => ({ folder: basename(dirname(path)), ...JSON.parse(readFileSync(join(root, path), "utf8")) }))
    .filter((manifest) => manifest.private !== true)

/** Emits a package's declarations and gives them by their path below `src`, without ending. */
export const declarationsOf = ({ folder, name }: Published): ReadonlyMap<string, Module> => {
  const out = mkdtempSync(join(tmpdir(), "sourcewire-api-"))
  try {
    const project = join(root, "packages", folder, "tsconfig.build.json")
    const args = ["--project", project, "--outDir", out, "--declarationMap", "false"]
    const tsc = join(root, "node_modules", ".bin", "tsc")
    const { status, stdout } = spawnSync(tsc, args, { encoding: "utf8", shell: process.platform === "win32" })
    if (status !== 0) throw new Error(`${name} does not compile:\n${stdout}`)
    return new Map(
      globSync("**/*.d.ts", { cwd: out }).map((path) => {
        const text = readFileSync(join(out, path), "utf8")
        return [path.replace(/\.d\.ts$/, "").replaceAll("\\", "/"), { text, parsed: parseSync(path, text) }]
      })
    )
  } finally {
    rmSync(out, { recursive: true })
  }
}
