/**
 * Reports sentences that are probably hard to read, in four areas: the documentation, the help, error messages and comments. This check
 * does not replace a human reader. `prose.json` contains the maximum number of findings for each area.
 *
 *     pnpm prose               fails if an area has more findings than its limit
 *     pnpm prose --list docs   prints the findings of an area, or of files whose paths contain this text
 *     pnpm prose --write       sets the limits to the current numbers
 *     pnpm prose --root PATH   counts in another checkout
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import writeGood from "write-good"
import { type Finding, type Source, findingsIn, listSources } from "./proseRules.ts"
import { root } from "./workspace.ts"

const LIMITS = new URL("prose.json", import.meta.url)

const { values } = parseArgs({
  options: { list: { type: "string" }, root: { type: "string", default: root }, write: { type: "boolean" } }
})

const paths = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: values.root,
  encoding: "utf8"
})
  .split("\0")
  .filter((path) => path !== "")

const OFF = { weasel: false, so: false, thereIs: false, passive: false, adverb: false, tooWordy: false, eprime: false }

/** Finds repeated words, as in "the the", and clichés. write-good can find other problems, too, but with too many false positives. */
const general = ({ text }: Source): ReadonlyArray<string> =>
  writeGood(text, { ...OFF, illusion: true, cliches: true })
    .map(({ reason }) => reason)
    // write-good also reports repeated bytes and numbers, such as `FF FF`, but these are no errors.
    .filter((reason) => !/^"[^a-z]+" is repeated$/.test(reason))

const read = (path: string): string | undefined => {
  try {
    return readFileSync(join(values.root, path), "utf8")
  } catch {
    // git still lists a deleted file until the deletion is staged.
    return undefined
  }
}

const found: Array<Finding & { readonly area: string; readonly path: string }> = []
let sentences = 0
for (const path of paths) {
  const text = read(path)
  if (text === undefined) continue
  for (const source of listSources(path, text)) {
    sentences++
    const rules = [...findingsIn(source.text), ...general(source)]
    found.push(...rules.map((rule) => ({ rule, area: source.area, path, line: source.line, text: source.text })))
  }
}

const counts = Object.fromEntries(
  ["docs", "help", "errors", "comments"].map((area) => [area, found.filter((one) => one.area === area).length])
)

if (values.list !== undefined) {
  const wanted = values.list
  for (const { area, line, path, rule, text } of found)
    if (area === wanted || path.includes(wanted)) console.log(`${path}:${line}  ${rule}\n    ${text}`)
} else {
  const limits = JSON.parse(readFileSync(LIMITS, "utf8")) as Readonly<Record<string, number>>
  console.log(`${found.length} findings in ${sentences} sentences: ${JSON.stringify(counts)}`)
  if (values.write === true) writeFileSync(LIMITS, `${JSON.stringify(counts, undefined, 2)}\n`)
  else if (values.root === root) {
    const over = Object.entries(counts).filter(([area, count]) => count > (limits[area] ?? 0))
    for (const [area, count] of over)
      console.error(
        `${area}: ${count} findings, at most ${limits[area] ?? 0} are allowed: \`pnpm prose --list ${area}\``
      )
    if (over.length > 0) process.exitCode = 1
  }
}
