/**
 * Rewrites the links of the pages. A link can lead to another page, to the playground that is part of the site, or to a file of the
 * repository.
 */
import { existsSync, statSync } from "node:fs"
import { dirname, join, posix, relative } from "node:path"
import type { MarkdownRenderer } from "vitepress"
import { address, hasAddress } from "../../../tooling/checks/src/publication.ts"

/**
 * The folder of the playground's source, and its path in the site. The playground is a separate application, so the router of the pages
 * must not load it.
 */
const PLAYGROUND = "apps/playground"
const PLAYGROUND_PAGE = "playground/index.html"

/** Rewrites the links of every page. `docs` is the folder that contains the pages. */
export const links = (markdown: MarkdownRenderer, docs: string): void => {
  const root = dirname(docs)
  markdown.core.ruler.push("links", ({ env, tokens }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        const href = token.attrGet("href")
        if (token.type !== "link_open" || href === null || /^([a-z]+:|#|\/)/.test(href)) continue
        const [path = "", fragment] = href.split("#", 2)
        const target = join(dirname(env.realPath ?? env.path), path)
        const hash = fragment === undefined ? "" : `#${fragment}`
        const page = findPage(target)
        if (relative(root, target) === PLAYGROUND) {
          // The link is relative, because VitePress adds its base path only to links without a `target` attribute.
          const folder = relative(docs, dirname(env.realPath ?? env.path)).replaceAll("\\", "/")
          token.attrSet("href", `./${posix.relative(folder, PLAYGROUND_PAGE)}${hash}`)
          token.attrSet("target", "_self")
        } else if (page !== undefined && page.startsWith(docs))
          token.attrSet("href", `/${relative(docs, page).replace(/README\.md$/, "")}${hash}`)
        else if (hasAddress) token.attrSet("href", `${address}/blob/main/${relative(root, target)}`)
        else token.attrs = token.attrs!.filter(([name]) => name !== "href")
      }
    }
  })
}

/** The page that a link leads to. If the link leads to a folder, this is the README of the folder. */
const findPage = (target: string): string | undefined => {
  if (target.endsWith(".md")) return target
  return existsSync(target) && statSync(target).isDirectory() && existsSync(join(target, "README.md"))
    ? join(target, "README.md")
    : undefined
}
