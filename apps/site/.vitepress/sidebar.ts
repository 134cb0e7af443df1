/** The order of the pages at the side. Folders are read, so that a new page is there by itself. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { DefaultTheme } from "vitepress"

/** The side of every page. */
export const sidebar = (docs: string): DefaultTheme.SidebarMulti => {
  const read = (path: string): string => readFileSync(join(docs, path), "utf8")
  const page = (path: string): DefaultTheme.SidebarItem => ({
    text: /^# (.+)$/m.exec(read(path))?.[1]?.replaceAll("`", "") ?? path,
    link: `/${path.replace(/(README)?\.md$/, "")}`
  })
  /** The pages of a folder: those that an overview links to, in the order of its last links to them, then the others. */
  const folder = (name: string, overview = ""): Array<DefaultTheme.SidebarItem> => {
    const linked = [...overview.matchAll(/\]\((?:[\w-]+\/)?([\w-]+\.md)/g)].map(([, file]) => file!)
    const place = (file: string): number => (linked.includes(file) ? linked.lastIndexOf(file) : linked.length)
    return globSync("**/*.md", { cwd: join(docs, name) })
      .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
      .map((file) => page(`${name}/${file}`))
  }
  const packages = globSync("api/*/", { cwd: docs })
    .map((path) => basename(path))
    .toSorted()
  const reference = page("api/README.md")
  const about = globSync("*.md", { cwd: docs, exclude: ["README.md", "playground.md", "games.md"] }).toSorted()
  const inside = [
    { text: "How it is built", items: [...about.map(page), page("how-to-add/README.md")] },
    { text: "Measured", items: folder("benchmarks") },
    { text: "Decisions", items: folder("adr") }
  ]
  const start = read("README.md")
  const protocol = folder("protocol", read("protocol/messages.md"))
  const guides = [
    page("README.md"),
    { text: "Coming from", items: folder("from", start) },
    { text: "Guides", items: folder("guides", start) },
    { text: "Tools", items: [page("playground.md"), page("games.md")] }
  ]
  return {
    ...Object.fromEntries(
      packages.map((name) => [`/api/${name}/`, [reference, { text: name, items: folder(`api/${name}`) }]])
    ),
    "/api/": [
      reference,
      { text: "Packages", items: packages.map((name) => ({ text: name, link: `/api/#sourcewire-${name}` })) }
    ],
    "/protocol/": [
      page("protocol/messages.md"),
      { text: "Messages", items: protocol.filter(({ link }) => !/messages|document-/.test(link!)) },
      { text: "Documents", items: protocol.filter(({ link }) => /document-/.test(link!)) }
    ],
    ...Object.fromEntries(
      ["adr/", "benchmarks/", "how-to-add/", ...about.map((file) => file.replace(/\.md$/, ""))].map((path) => [
        `/${path}`,
        inside
      ])
    ),
    "/": guides
  }
}
