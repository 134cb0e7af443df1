/**
 * The configuration of the website with the documentation: the folder of its pages, their order, and the targets of links that point
 * outside of `docs/`.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig, type Plugin } from "vitepress"
import { address, hasAddress } from "../../../tooling/checks/src/publication.ts"
import { dissectors } from "./dissectors.ts"
import { links } from "./links.ts"
import { sidebar } from "./sidebar.ts"

const icon = readFileSync(new URL("../../../packages/ui/src/style/icon.svg", import.meta.url), "utf8")
const docs = fileURLToPath(new URL("../../../docs", import.meta.url))

/** Resolves Vue for the pages. The pages are outside of this package, so they would not find Vue. */
const vueForPages: Plugin = {
  name: "vue-for-pages",
  enforce: "pre",
  resolveId(source, importer) {
    if (!/^vue(\/|$)/.test(source) || importer?.startsWith(docs) !== true) return null
    return this.resolve(source, fileURLToPath(import.meta.url), { skipSelf: true })
  }
}

export default defineConfig({
  title: "Sourcewire",
  description: "Valve's game-server query protocols for TypeScript: A2S, RCON, logs, emulated servers.",
  srcDir: "../../docs",
  outDir: "dist",
  rewrites: { "README.md": "index.md", ":folder/README.md": ":folder/index.md" },
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }],
    ["meta", { name: "referrer", content: "no-referrer" }],
    ["meta", { name: "color-scheme", content: "light dark" }]
  ],
  markdown: {
    image: { lazyLoading: true },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      links(markdown, docs)
      dissectors(markdown)
    }
  },
  vite: {
    plugins: [vueForPages],
    // The index of the search is larger than the default limit. It is loaded when a reader searches for the first time.
    build: { chunkSizeWarningLimit: 1500 }
  },
  themeConfig: {
    siteTitle: "Sourcewire",
    search: {
      provider: "local",
      options: {
        miniSearch: {
          // Guides are ranked first, because other pages, such as the reference, contain the same words many times.
          searchOptions: {
            boostDocument: (id: string) => {
              if (/\/(how-to|tutorials)\//.test(id)) return 2
              return /\/(api|benchmarks|adr|how-to-add|architecture|interop|protocol|releasing|scan-performance)\b/.test(
                id
              )
                ? 0.2
                : 1
            }
          }
        }
      }
    },
    outline: [2, 3],
    notFound: { linkText: "Start", linkLabel: "Start" },
    nav: [
      { text: "Guides", link: "/", activeMatch: "^/(index|$|tutorials/|how-to/)" },
      { text: "Reference", link: "/reference/command-line", activeMatch: "^/reference/" },
      { text: "Protocol", link: "/protocol/messages", activeMatch: "^/protocol/" },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      {
        text: "Explanation",
        link: "/explanation/faq",
        activeMatch: "^/(?!$|index|tutorials/|how-to/|reference/|protocol/|api/)."
      },
      // The playground is not a page of the site. It is an application that the build copies beside the pages.
      { text: "Playground", link: "/playground/index.html", target: "_self" },
      ...(hasAddress ? [{ text: "Repository", link: address }] : [])
    ],
    sidebar: sidebar(docs)
  }
})
