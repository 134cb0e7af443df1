/**
 *     pnpm mutants
 *
 * Writes docs/mutants.md from the reports of `pnpm mutate` and the reasons in `reasons.json`, and fails where a change that
 * nobody noticed has no reason, or a reason no change.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { count, type Reason, reasonFor, type Report, type Survivor, survivors } from "./survivors.ts"
import { targets } from "./targets.ts"

// There are no options: with one, nothing is written.
parseArgs()

const root = new URL("../../../", import.meta.url)
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), "utf8"))

const reasons = readJson("tooling/mutation/reasons.json") as ReadonlyArray<Reason>
const used = new Set<Reason>()
const problems: Array<string> = []

const code = (text: string): string => {
  const short = text.length > 70 ? `${text.slice(0, 67)}…` : text
  return short.includes("`") ? `\`\` ${short} \`\`` : `\`${short}\``
}

const NONE: Reason = { file: "", code: "", why: "No reason yet: a test is missing, or is newer than this page." }

/** One entry per reason, with all its changes. */
const listed = (found: ReadonlyArray<Survivor>): ReadonlyArray<string> =>
  [...Map.groupBy(found, (survivor) => reasonFor(survivor, reasons) ?? NONE)].flatMap(([reason, all]) => {
    used.add(reason)
    if (reason === NONE)
      problems.push(...all.map(({ file, from, line, to }) => `${file}:${line}  ${from} → ${to || "nothing"}`))
    return [
      `- ${reason.why}`,
      ...all.map(({ from, line, to }) => `  - ${line}: ${code(from)} → ${to === "" ? "nothing" : code(to)}`)
    ]
  })

/** Files of a report that are not as they were when it was made. */
const changedSince = ({ files }: Report): ReadonlyArray<string> =>
  Object.entries(files)
    .filter(
      ([file, { source }]) => !existsSync(new URL(file, root)) || readFileSync(new URL(file, root), "utf8") !== source
    )
    .map(([file]) => file)
const changed: Array<string> = []

const sections = Object.keys(targets)
  .filter((name) => existsSync(new URL(`.mutation/${name}.json`, root)))
  .map((name) => {
    const report = readJson(`.mutation/${name}.json`) as Report
    changed.push(...changedSince(report))
    const found = survivors(report)
    const files = [...new Set(found.map(({ file }) => file))]
    const lists = files.flatMap((file) => ["", `### ${file}`, "", ...listed(found.filter((one) => one.file === file))])
    const { ignored, noticed, score, unnoticed } = count(report)
    return {
      row: `| ${name} | ${noticed + unnoticed} | ${noticed} | ${unnoticed} | ${score.toFixed(1)} % | ${ignored} |`,
      text: [`## ${name}`, ...lists, ""].join("\n")
    }
  })

for (const { code: part, file, why } of reasons.filter((reason) => !used.has(reason)))
  problems.push(`reasons.json: nothing in ${file} has ${part} any more (${why})`)

const HEAD = `# Mutants

What the tests would not notice. \`pnpm mutate\` (StrykerJS) changes the sources in one small way at a time, a \`<\` to \`<=\`, a condition to \`true\`, a text to nothing, and runs the unit tests that come past the place. This page is made of its reports by \`pnpm mutants\`; every change that went unnoticed is listed with the reason why that is all right, from \`tooling/mutation/reasons.json\`.

Left out are generated decoders, made from declarations and held to them by the round trips of every message; the declarations, whose texts are documentation; the generator of test data; Effect's schemas, which are asked thousands of values; what only Bun runs; and tables that are made when a module is loaded, the last column. Tests that ask thousands of inputs are left out too, for their time: what is noticed here is noticed by a test that says it.

| part | changes | noticed | unnoticed | score | tables |
|---|---|---|---|---|---|
`

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim()
const state =
  changed.length === 0
    ? `Of commit ${commit}; what has changed since then was not asked yet.`
    : `Of commit ${commit}, but for what has changed in these files since they were asked: ${changed.map((file) => `\`${file}\``).join(", ")}.`

writeFileSync(
  new URL("docs/mutants.md", root),
  `${HEAD}${sections.map(({ row }) => row).join("\n")}\n\n${state}\n\n${sections.map(({ text }) => text).join("\n")}`
)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
