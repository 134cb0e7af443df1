/** The pages as they are written, and lists of them for programs that read: `llms.txt` names each, `llms-full.txt` has their texts. */
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { join, sep } from "node:path"

/** Folders in the order in which they are worth reading, and what they hold. */
const PARTS: ReadonlyArray<readonly [folder: string, title: string]> = [
  ["", "Sourcewire"],
  ["guides", "Guides"],
  ["protocol", "The protocol, byte by byte"],
  ["api", "API reference"],
  ["benchmarks", "Benchmarks"],
  ["how-to-add", "How to add something"],
  ["adr", "Decisions"]
]

/** Parts that would fill a reader's memory without saying more than the others. */
const LEFT_OUT = /^(api\/|benchmarks\/|adr\/|mutants\.md)/

const FIRST_SENTENCE = /^# .+\n+([A-Z`][^\n]*?[.:])(?:\s|$)/m

/** What a page is about: its first sentence, or the messages that it has the bytes of. */
const aboutOf = (text: string): string | undefined => {
  const sentence = FIRST_SENTENCE.exec(text)?.[1]?.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
  const messages = [...text.matchAll(/^## ([A-Z]\w+)$/gm)].map(([, name]) => name!)
  return sentence ?? (messages.length === 0 ? undefined : `${messages.join(", ")}.`)
}

/** Writes them for the pages of `docs` to the built site. */
export const writeTexts = (docs: string, site: string): void => {
  const pages = globSync("**/*.md", { cwd: docs })
    .map((path) => path.replaceAll(sep, "/"))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(docs, path), "utf8") }))
  for (const { path } of pages) cpSync(join(docs, path), join(site, path))
  const list = PARTS.map(([folder, title]) => {
    const inside = pages.filter(({ path }) => path.split("/").slice(0, -1)[0] === (folder === "" ? undefined : folder))
    const lines = inside.map(({ path, text }) => {
      const name = /^# (.+)$/m.exec(text)?.[1] ?? path
      const about = aboutOf(text)
      return `- [${name}](${path})${about === undefined ? "" : `: ${about}`}`
    })
    return folder === "" ? [ABOUT, ...lines].join("\n") : [`## ${title}`, "", ...lines].join("\n")
  })
  writeFileSync(join(site, "llms.txt"), `${list.join("\n\n")}\n`)
  const full = pages.filter(({ path }) => !LEFT_OUT.test(path)).map(({ path, text }) => `<!-- ${path} -->\n${text}`)
  writeFileSync(join(site, "llms-full.txt"), full.join("\n"))
}

const ABOUT = `# Sourcewire

> Valve's game-server query protocols for TypeScript: ask servers (A2S, GoldSource), control them (RCON), read their logs, play the server yourself. Node, Deno, Bun; libraries, a command line, a page that takes datagrams apart.
`
