/** The order of the pages in the sidebar. The folders are read, so a new page appears automatically. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { DefaultTheme } from "vitepress"

/** The sidebar of every page. */
export const sidebar = (docs: string): DefaultTheme.SidebarMulti => {
  const read = (path: string): string => readFileSync(join(docs, path), "utf8")
  const page = (path: string): DefaultTheme.SidebarItem => ({
    text: /^# (.+)$/m.exec(read(path))?.[1]?.replaceAll("`", "") ?? path,
    link: `/${path.replace(/(README)?\.md$/, "")}`
  })
  const start = read("README.md")
  /** The pages of a folder. Pages that the overview links to are first, in the order of these links. All other pages follow. */
  const folder = (name: string, overview = start): Array<DefaultTheme.SidebarItem> => {
    const linked = [...overview.matchAll(/\]\((?:[\w-]+\/)?([\w-]+\.md)/g)].map(([, file]) => file!)
    const place = (file: string): number => (linked.includes(file) ? linked.indexOf(file) : linked.length)
    return globSync("**/*.md", { cwd: join(docs, name) })
      .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
      .map((file) => page(`${name}/${file}`))
  }
  const packages = globSync("api/*/", { cwd: docs })
    .map((path) => basename(path))
    .toSorted()
  const reference = page("api/README.md")
  const protocol = folder("protocol", read("protocol/messages.md"))
  const guides = [
    { text: "Start", items: [page("README.md")] },
    { text: "Tutorials", items: folder("tutorials") },
    { text: "How-to guides", items: folder("how-to") }
  ]
  const references = [
    { text: "Reference", items: folder("reference") },
    { text: "Protocol", items: [page("protocol/messages.md")] },
    { text: "API", items: [reference] }
  ]
  const explanation = [
    { text: "Explanation", items: folder("explanation") },
    { text: "Benchmarks", items: [...folder("benchmarks"), page("interop.md")] },
    { text: "Decisions", items: folder("adr", "") },
    { text: "Contribute", items: [page("how-to-add/README.md"), page("releasing.md")] }
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
    "/reference/": references,
    ...Object.fromEntries(
      ["adr/", "benchmarks/", "explanation/", "how-to-add/", "interop", "releasing"].map((path) => [
        `/${path}`,
        explanation
      ])
    ),
    "/": guides
  }
}
