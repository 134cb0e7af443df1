/**
 * The API reference, one page per public module, made of the doc comments. Without `--write` it says whether the pages in `docs/api`
 * are current, and whether every value that is exported stands in an example somewhere: in a doc comment, in a code block of the
 * documentation, or in `examples/`.
 *
 *     pnpm api, pnpm api:check
 *
 * @module
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync } from "oxc-parser"
import { markdownBlocks } from "./blocks.ts"
import type { Published } from "./declarations.ts"
import { declarationsOf, published, root } from "./declarations.ts"
import { firstSentence, readDocComment } from "./docComment.ts"
import type { Exported, Section } from "./surface.ts"
import { sectionsOf } from "./surface.ts"

const FOLDER = "docs/api"
const pages = new Map<string, string>()
const examples: Array<string> = [
  ...markdownBlocks().map(({ code }) => code),
  ...globSync("examples/**/*.ts", { cwd: root, exclude: ["**/node_modules/**", "**/test/**"] }).map((path) =>
    readFileSync(join(root, path), "utf8")
  )
]
const values: Array<{ readonly where: string; readonly name: string; readonly namespace: string | undefined }> = []

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``

const itemOf = ({ doc, name, signature }: Exported, namespace: string | undefined): string =>
  [
    `## ${namespace === undefined ? "" : `${namespace}.`}${name}`,
    doc.prose,
    `\`\`\`typescript\n${signature}\n\`\`\``,
    ...doc.examples.map(code)
  ].join("\n\n")

const bySpelling = (a: Exported, b: Exported): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const index: Array<string> = []
const addPackage = (one: Published): void => {
  const modules = declarationsOf(one)
  const rows: Array<string> = []
  const addSection = (specifier: string, { exported, module, namespace }: Section): void => {
    const path = `packages/${one.folder}/src/${module}.ts`
    // From the source: where the first import is of no use to declarations, the comment before it goes with it.
    const first = parseSync(path, readFileSync(join(root, path), "utf8")).comments[0]
    const { examples: opening, prose } = readDocComment(first?.value ?? "")
    examples.push(...opening, ...exported.flatMap(({ doc }) => doc.examples))
    for (const { isValue, module, name } of exported) {
      if (isValue) values.push({ where: `${one.name} ${module}`, name, namespace })
    }
    const title = module === "index" ? one.folder : module
    const names = namespace === undefined ? `{ … }` : `{ ${namespace} }`
    pages.set(
      `${one.folder}/${title}.md`,
      [
        `# ${title}`,
        prose,
        ...opening.map(code),
        `\`import ${names} from "${specifier}"\` · [source](../../../${path})`,
        ...exported.toSorted(bySpelling).map((item) => itemOf(item, namespace))
      ].join("\n\n") + "\n"
    )
    rows.push(`| [${namespace ?? title}](${one.folder}/${title}.md) | \`${specifier}\` | ${firstSentence(prose)} |`)
  }
  for (const [key, path] of Object.entries(one.exports)) {
    const entry = path.slice("./src/".length, -".ts".length)
    for (const section of sectionsOf(modules, entry)) addSection(one.name + key.slice(1), section)
  }
  index.push(`## ${one.name}`, `${one.description}.`, ["| page | import | |", "|---|---|---|", ...rows].join("\n"))
}

for (const one of published()) addPackage(one)
const opening = "One page per public module, made of the doc comments by `pnpm api`."
pages.set("README.md", ["# API reference", opening, ...index].join("\n\n") + "\n")

const problems: Array<string> = []
const whole = examples.join("\n")
for (const { name, namespace, where } of values) {
  const isShown = new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(whole)
  const isListed = namespace !== undefined && whole.includes(`Object.entries(${namespace})`)
  if (!isShown && !isListed) problems.push(`${where}: ${name} stands in no example`)
}
const folder = join(root, FOLDER)
if (process.argv.includes("--write")) {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
} else {
  const there = new Set(globSync("**/*.md", { cwd: folder }).map((path) => path.replaceAll("\\", "/")))
  for (const [path, text] of pages) {
    if (!there.delete(path) || readFileSync(join(folder, path), "utf8") !== text) {
      problems.push(`${FOLDER}/${path} is not current; run \`pnpm api\``)
    }
  }
  for (const path of there) problems.push(`${FOLDER}/${path} is about nothing; run \`pnpm api\``)
}
for (const problem of problems) console.error(problem)
console.error(problems.length === 0 ? `${pages.size} pages, ${values.length} values` : `${problems.length} to mend`)
process.exitCode = problems.length === 0 ? 0 : 1
