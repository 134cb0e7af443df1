/**
 * Writes the API reference to `docs/api`, one page per public module, made of the doc comments. It is not committed:
 * the site is built with it.
 *
 *     pnpm api
 */
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { parseSync } from "oxc-parser"
import { entriesOf, published, read, root, type WorkspacePackage } from "../../checks/src/workspace.ts"
import { firstSentence, readDocComment } from "./docComment.ts"
import { type Exported, type Modules, modulesOf, type Section, sectionsOf } from "./surface.ts"

/**
 * A package's declarations by the paths of their sources, emitted from these as they are now: types are complete there, also where the
 * sources leave them to inference, and doc comments are kept.
 */
const declarationsOf = async (dir: string): Promise<Modules> => {
  await using out = await mkdtempDisposable(join(tmpdir(), "sourcewire-api-"))
  const args = ["--project", join(root, dir, "tsconfig.build.json"), "--outDir", out.path, "--declarationMap", "false"]
  const tsc = join(root, "node_modules", ".bin", "tsc")
  const { status, stdout } = spawnSync(tsc, args, { encoding: "utf8", shell: process.platform === "win32" })
  if (status !== 0) throw new Error(`${dir} does not compile:\n${stdout}`)
  return modulesOf(
    globSync("**/*.d.ts", { cwd: out.path }).map((path) => [
      `${dir}/src/${path.replaceAll("\\", "/").replace(".d.ts", ".ts")}`,
      readFileSync(join(out.path, path), "utf8")
    ])
  )
}

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
const addPackage = async (one: WorkspacePackage): Promise<void> => {
  const folder = basename(one.dir)
  const modules = await declarationsOf(one.dir)
  const rows: Array<string> = []
  const addSection = (specifier: string, { exported, module, namespace }: Section): void => {
    const path = `${module}.ts`
    // From the source: where the first import is of no use to declarations, the comment before it goes with it.
    const first = parseSync(path, read(path)).comments[0]
    const { examples: opening, prose } = readDocComment(first?.value ?? "")
    const below = module.slice(`${one.dir}/src/`.length)
    const title = below === "index" ? folder : below
    const names = namespace === undefined ? `{ … }` : `{ ${namespace} }`
    pages.set(
      `${folder}/${title}.md`,
      [
        `# ${title}`,
        prose,
        ...opening.map(code),
        `\`import ${names} from "${specifier}"\` · [source](../../../${path})`,
        ...exported.toSorted(bySpelling).map((item) => itemOf(item, namespace))
      ].join("\n\n") + "\n"
    )
    rows.push(`| [${namespace ?? title}](${folder}/${title}.md) | \`${specifier}\` | ${firstSentence(prose)} |`)
  }
  for (const { module, specifier } of entriesOf(one)) {
    for (const section of sectionsOf(modules, module)) addSection(specifier, section)
  }
  const { description, name } = one.manifest
  index.push(`## ${name}`, `${description}.`, ["| page | import | |", "|---|---|---|", ...rows].join("\n"))
}

for (const one of published) if (one.manifest.exports !== undefined) await addPackage(one)
const opening = "One page per public module, made of the doc comments by `pnpm api`."
pages.set("README.md", ["# API reference", opening, ...index].join("\n\n") + "\n")

const folder = join(root, FOLDER)
rmSync(folder, { recursive: true, force: true })
for (const [path, text] of pages) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
console.log(`${pages.size} pages in ${FOLDER}`)
