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
    return (readdirSync(join(docs, name), { recursive: true }) as Array<string>)
      .filter((file) => file.endsWith(".md"))
      .toSorted()
      .map((file) => page(`${name}/${file}`))
  }
  const packages = existsSync(join(docs, "api"))
    ? readdirSync(join(docs, "api"), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : []
      )
    : []
  const reference = page("api/README.md")
  const inside = [
    {
      text: "How it is built",
      items: [
        page("architecture.md"),
        page("threat-model.md"),
        page("how-to-add/README.md"),
        page("mutants.md"),
        page("releasing.md")
      ]
    },
    { text: "Measured", items: folder("benchmarks") },
    { text: "Decisions", items: folder("adr") }
  ]
  const protocol = folder("protocol")
  const guides = [
    page("README.md"),
    { text: "Coming from", items: folder("from") },
    { text: "Guides", items: folder("guides") },
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
      ["adr", "benchmarks", "how-to-add", "architecture", "threat-model", "mutants", "releasing"].map((path) => [
        `/${path}`,
        inside
      ])
    ),
    "/": guides
  }
}
