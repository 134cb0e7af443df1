/**
 * Writes the API reference to `docs/api`, one page per public module, made of the doc comments. It is not committed:
 * the site is built with it.
 *
 *     pnpm api
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync } from "oxc-parser"
import type { Published } from "./declarations.ts"
import { declarationsOf, published, root } from "./declarations.ts"
import { firstSentence, readDocComment } from "./docComment.ts"
import type { Exported, Section } from "./surface.ts"
import { sectionsOf } from "./surface.ts"

const FOLDER = "docs/api"
const pages = new Map<string, string>()

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

const folder = join(root, FOLDER)
rmSync(folder, { recursive: true, force: true })
for (const [path, text] of pages) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
console.log(`${pages.size} pages in ${FOLDER}`)
