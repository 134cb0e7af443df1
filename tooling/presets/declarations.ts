/**
 * Writes a package's declarations to `dist`. Run this program in the package's directory after `library.ts`.
 *
 * In the declarations that the compiler writes, the specifiers end with `.ts`, as in the sources. A user's compiler would reject such
 * specifiers, so this program changes the ending to `.js`. `packages/inside` is not published. If the package's declarations import
 * `packages/inside`, this program writes the declarations of `packages/inside` to `dist/inside`.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { posix } from "node:path"

const compile = (project: string, ...options: ReadonlyArray<string>): void => {
  const shell = process.platform === "win32"
  const { status } = spawnSync("tsc", ["-p", project, ...options], { stdio: "inherit", shell })
  if (status !== 0) process.exit(status ?? 1)
}
compile("tsconfig.build.json")

/** Matches a relative specifier that follows `from`, `import` or `import(`, and ends with `.ts`. */
const specifier = /((?:from |import\(|import )")(\.{1,2}\/[^"]+)\.ts(")/g

const INSIDE = /"@sourcewire\/inside\/(\w+)"/g
/** The source files of `packages/inside`, by the subpaths that other packages import. */
const { exports } = JSON.parse(readFileSync("../inside/package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string>>
}
const builtPath = (subpath: string): string => exports[`./${subpath}`]!.replace(/^\.\/src\/(.*)\.ts$/, "$1.js")

const namesInside = (file: string): boolean => readFileSync(file, "utf8").search(INSIDE) >= 0
if (globSync("dist/**/*.d.ts").some(namesInside)) compile("../inside/tsconfig.build.json", "--outDir", "dist/inside")

for (const file of globSync("dist/**/*.d.ts")) {
  const text = readFileSync(file, "utf8")
  const inside = posix.relative(posix.dirname(file.replaceAll("\\", "/")), "dist/inside")
  const rewritten = text
    .replace(specifier, "$1$2.js$3")
    .replace(INSIDE, (_, subpath: string) => `"./${inside}/${builtPath(subpath)}"`)
  if (rewritten !== text) writeFileSync(file, rewritten)
}
