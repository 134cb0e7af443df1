/**
 * Generates the API reference in `docs/api` from the doc comments, with one page per import path. Only the import paths `…/machines` have
 * no page, because their exports may change in any release. The pages are not committed: `pnpm docs:dev` and `pnpm docs:build` generate
 * them.
 */
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { parseSync } from "oxc-parser"
import { listEntries, published, read, root, type WorkspacePackage } from "../../checks/src/workspace.ts"
import { firstSentence, readDocComment } from "./docComment.ts"
import { type Exported, type Modules, parseModules, type Section, listSections } from "./surface.ts"

/**
 * Lets the compiler emit the declarations of a package, with inferred types and doc comments. Returns a map from the path of each source
 * file to its declarations.
 */
const emitDeclarations = async (dir: string): Promise<Modules> => {
  await using out = await mkdtempDisposable(join(tmpdir(), "sourcewire-api-"))
  const args = ["--project", join(root, dir, "tsconfig.build.json"), "--outDir", out.path, "--declarationMap", "false"]
  const tsc = join(root, "node_modules", ".bin", "tsc")
  const { status, stdout } = spawnSync(tsc, args, { encoding: "utf8", shell: process.platform === "win32" })
  if (status !== 0) throw new Error(`${dir} does not compile:\n${stdout}`)
  return parseModules(
    globSync("**/*.d.ts", { cwd: out.path }).map((path) => [
      `${dir}/src/${path.replaceAll("\\", "/").replace(".d.ts", ".ts")}`,
      readFileSync(join(out.path, path), "utf8")
    ])
  )
}

const FOLDER = "docs/api"
const pages = new Map<string, string>()

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``

const formatItem = ({ doc, name, signature }: Exported, namespace: string | undefined): string =>
  [
    `## ${namespace === undefined ? "" : `${namespace}.`}${name}`,
    doc.prose,
    `\`\`\`typescript\n${signature}\n\`\`\``,
    ...doc.examples.map(code)
  ].join("\n\n")

const bySpelling = (a: Exported, b: Exported): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const index: Array<string> = []

/** The text and the examples of a module's first comment. */
const readOpening = (module: string) => {
  const path = `${module}.ts`
  // The comment is read from the source, because the declarations may lack it: if the compiler removes an import, it also removes the
  // comment above this import.
  return readDocComment(parseSync(path, read(path)).comments[0]?.value ?? "")
}

const sectionText = ({ exported, namespace }: Section): ReadonlyArray<string> =>
  exported.toSorted(bySpelling).map((item) => formatItem(item, namespace))

const addPackage = async (one: WorkspacePackage): Promise<void> => {
  const folder = basename(one.dir)
  const modules = await emitDeclarations(one.dir)
  const rows = listEntries(one)
    .filter(({ specifier }) => !specifier.endsWith("/machines"))
    .map(({ module, specifier }) => {
      const { examples, prose } = readOpening(module)
      const sections = listSections(modules, module).toSorted((a, b) => (a.module < b.module ? -1 : 1))
      const file = specifier === one.manifest.name ? folder : specifier.slice(one.manifest.name.length + 1)
      const names = sections.flatMap(({ exported, namespace }) => exported.map(({ name }) => namespace ?? name))
      pages.set(
        `${folder}/${file}.md`,
        [
          `# ${specifier}`,
          prose,
          ...examples.map(code),
          `\`import { … } from "${specifier}"\` · [source](../../../${module}.ts)`,
          ...sections.flatMap(sectionText)
        ].join("\n\n") + "\n"
      )
      return `| [\`${specifier}\`](${folder}/${file}.md) | ${firstSentence(prose)} | ${new Set(names).size} |`
    })
  const { description, name } = one.manifest
  index.push(
    `## ${name}`,
    `${description}.`,
    ["| import path | content | names |", "|---|---|---|", ...rows].join("\n")
  )
}

for (const one of published) if (one.manifest.exports !== undefined) await addPackage(one)
const opening = "This reference is generated from the doc comments. Each import path has its own page."
pages.set("README.md", ["# API reference", opening, ...index].join("\n\n") + "\n")

const folder = join(root, FOLDER)
rmSync(folder, { recursive: true, force: true })
for (const [path, text] of pages) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
console.log(`${pages.size} pages in ${FOLDER}`)
