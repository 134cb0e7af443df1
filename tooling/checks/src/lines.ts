/**
 * Lines of source per folder, without tests and generated files: in a revision, or at two to compare them.
 *
 *     pnpm lines [REVISION [REVISION]]
 */
import { execFileSync } from "node:child_process"
import { root } from "./workspace.ts"

const isSource = (path: string): boolean =>
  /\.(ts|tsx|mts|mjs)$/.test(path) && !/(^|\/)(test|tests|generated)\/|\.test\.|\.d\.mts$/.test(path)

/** By the first two folders. */
const count = (revision: string): ReadonlyMap<string, number> => {
  // Of each file with a line its revision, its path and how many lines it has.
  const args = ["grep", "--count", "", revision, "--", "packages", "apps", "tooling"]
  const counted = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
  const lines = new Map<string, number>()
  for (const [, path, own] of counted.matchAll(/^[^:]+:(.+):(\d+)$/gm)) {
    const folder = path!.split("/", 2).join("/")
    if (isSource(path!)) lines.set(folder, (lines.get(folder) ?? 0) + Number(own))
  }
  return lines
}

const revisions = process.argv.length > 2 ? process.argv.slice(2) : ["HEAD"]
const counts = revisions.map(count)
const folders = [...new Set(counts.flatMap((lines) => [...lines.keys()]))].toSorted()
const row = (name: string, cells: ReadonlyArray<number | string>): string =>
  name.padEnd(26) + cells.map((cell) => String(cell).padStart(12)).join("")

console.log(row("", revisions))
for (const folder of folders) {
  const cells = counts.map((lines) => lines.get(folder) ?? 0)
  console.log(row(folder, cells))
}
const sums = counts.map((lines) => [...lines.values()].reduce((sum, own) => sum + own, 0))
console.log(row("all", sums))
if (sums.length === 2) console.log(row("", ["", `${((sums[1]! / sums[0]! - 1) * 100).toFixed(1)} %`]))
