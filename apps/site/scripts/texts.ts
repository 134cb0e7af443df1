/**
 * Copies the pages of the documentation to the site as Markdown, and writes two files for language models. `llms.txt` lists all pages.
 * `llms-full.txt` contains the text of most pages.
 */
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { join, sep } from "node:path"

/**
 * Titles of folders, in the order in which `llms.txt` lists the folders. If a folder is not in this array, `llms.txt` lists it after the
 * folders of the array, under the name of the folder.
 */
const TITLES: ReadonlyArray<readonly [folder: string, title: string]> = [
  ["", "Sourcewire"],
  ["tutorials", "Tutorials"],
  ["how-to", "How-to guides"],
  ["reference", "Reference"],
  ["explanation", "Explanation"],
  ["protocol", "The protocol, byte by byte"],
  ["api", "API reference"],
  ["benchmarks", "Benchmarks"],
  ["how-to-add", "How to add something"],
  ["adr", "Decisions"]
]

/** Matches the paths of pages that `llms-full.txt` omits, because these pages are long and do not help users. */
const LEFT_OUT = /^(api\/|benchmarks\/|adr\/)/

/**
 * Matches the first sentence after the title of a page. If the first line after the title has no full stop, the expression matches the
 * whole line.
 */
const FIRST_SENTENCE = /^# .+\n+((?!```)[\w`].*?\.(?=\s|$)|(?!```)[\w`].*$)/m

/**
 * Returns the first sentence of a page as its summary. If a page about a protocol has no sentence after its title, the summary lists the
 * names of the page's messages.
 */
const summarize = (folder: string, text: string): string | undefined => {
  const sentence = FIRST_SENTENCE.exec(text)?.[1]
    ?.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("**", "")
    .replace(/:$/, ".")
  if (sentence !== undefined || folder !== "protocol") return sentence
  const messages = [...text.matchAll(/^## ([A-Z]\w+)$/gm)].map(([, name]) => name!)
  return messages.length === 0 ? undefined : `${messages.join(", ")}.`
}

/**
 * Copies each page of the folder `docs` to the folder `site`, which contains the built site. Also writes `llms.txt` and `llms-full.txt` to
 * the folder `site`.
 */
export const writeTexts = (docs: string, site: string): void => {
  const pages = globSync("**/*.md", { cwd: docs })
    .map((path) => path.replaceAll(sep, "/"))
    .toSorted()
    .map((path) => ({
      path,
      folder: path.split("/").slice(0, -1)[0] ?? "",
      text: readFileSync(join(docs, path), "utf8")
    }))
  for (const { path } of pages) cpSync(join(docs, path), join(site, path))
  const known = new Set(TITLES.map(([folder]) => folder))
  const others = [...new Set(pages.map(({ folder }) => folder))].filter((folder) => !known.has(folder))
  const list = [...TITLES, ...others.map((folder) => [folder, folder] as const)].map(([folder, title]) => {
    const lines = pages
      .filter((page) => page.folder === folder)
      .map(({ path, text }) => {
        const name = /^# (.+)$/m.exec(text)?.[1] ?? path
        const about = summarize(folder, text)
        return `- [${name}](${path})${about === undefined ? "" : `: ${about}`}`
      })
    return folder === "" ? [ABOUT, ...lines].join("\n") : [`## ${title}`, "", ...lines].join("\n")
  })
  writeFileSync(join(site, "llms.txt"), `${list.join("\n\n")}\n`)
  const full = pages.filter(({ path }) => !LEFT_OUT.test(path)).map(({ path, text }) => `<!-- ${path} -->\n${text}`)
  writeFileSync(join(site, "llms-full.txt"), full.join("\n"))
}

const ABOUT = `# Sourcewire

> Query, scan, monitor and emulate game servers that use Valve's protocols (A2S, GoldSource, RCON). TypeScript libraries for Node, Deno and Bun, a command line, a monitor, a caching proxy, and a page that decodes datagrams.
`
