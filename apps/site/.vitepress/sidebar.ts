/** The order of the pages at the side. Folders are read, so that a new page is there by itself. */
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { DefaultTheme } from "vitepress"

/** The side of every page. */
export const sidebar = (docs: string): DefaultTheme.SidebarMulti => {
  const page = (path: string): DefaultTheme.SidebarItem => ({
    text: /^# (.+)$/m.exec(readFileSync(join(docs, path), "utf8"))?.[1]?.replaceAll("`", "") ?? path,
    link: `/${path.replace(/(README)?\.md$/, "")}`
  })
  const folder = (name: string): Array<DefaultTheme.SidebarItem> => {
    if (!existsSync(join(docs, name))) return []
    return readdirSync(join(docs, name))
      .filter((file) => file.endsWith(".md"))
      .toSorted()
      .map((file) => page(`${name}/${file}`))
  }
  const reference = existsSync(join(docs, "api")) ? readdirSync(join(docs, "api"), { withFileTypes: true }) : []
  const built = [
    page("architecture.md"),
    page("threat-model.md"),
    ...folder("how-to-add"),
    page("mutants.md"),
    page("releasing.md")
  ]
  return {
    "/api/": [
      page("api/README.md"),
      ...reference
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => ({ text: name, items: folder(`api/${name}`), collapsed: true }))
    ],
    "/": [
      page("README.md"),
      { text: "Guides", items: folder("guides") },
      { text: "Tools", items: [page("playground.md"), page("games.md")] },
      { text: "Protocol", items: folder("protocol") },
      { text: "Benchmarks", items: folder("benchmarks"), collapsed: true },
      { text: "How it is built", items: built, collapsed: true },
      { text: "Decisions", items: folder("adr"), collapsed: true }
    ]
  }
}
