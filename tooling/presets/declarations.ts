/**
 * Writes a package's declarations to `dist`; run in the package's directory after `library.ts`.
 *
 * The compiler keeps the sources' `.ts` specifiers in declarations, where they would name files that a consumer's
 * compiler refuses to open, so they become `.js` here.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"

const compiled = spawnSync("tsc", ["-p", "tsconfig.build.json"], {
  stdio: "inherit",
  shell: process.platform === "win32"
})
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

/** A relative specifier behind `from` or inside `import(…)`, as the compiler prints it. */
const specifier = /((?:from |import\(|import )")(\.{1,2}\/[^"]+)\.ts(")/g

for (const file of globSync("dist/**/*.d.ts")) {
  const text = readFileSync(file, "utf8")
  const rewritten = text.replace(specifier, "$1$2.js$3")
  if (rewritten !== text) writeFileSync(file, rewritten)
}
