/** Builds the site as it is published under a path. Checks its links and the sizes of its pages, and opens pages in a real browser. */
import { seriousFindings } from "@sourcewire/testing/accessibility"
import { launch } from "@sourcewire/testing/browser"
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type { Browser, Page as BrowserPage } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { gzippedBytes, findIds, findLinks, loadedBy, type Page, readPages, resolveLink } from "./built.ts"
import { type Served, serve } from "./serve.ts"

const BASE = "/some/path/"
/** Maximum size of a page with its scripts and styles, gzipped. */
const FIRST_LOAD_BYTES = 150_000

const site = mkdtempSync(join(tmpdir(), "sourcewire-site-"))
let pages: ReturnType<typeof readPages> = []
let served: Served
let browser: Browser

beforeAll(async () => {
  const script = fileURLToPath(new URL("../scripts/build.ts", import.meta.url))
  const built = spawnSync(process.execPath, [script, "--base", BASE, "--out", site], { encoding: "utf8" })
  if (built.status !== 0) throw new Error(built.stdout + built.stderr)
  pages = readPages(site)
  served = await serve(site, BASE)
  browser = await launch()
}, 600_000)
afterAll(async () => {
  await browser.close()
  await served[Symbol.asyncDispose]()
  rmSync(site, { recursive: true, force: true })
})

describe("the built site", () => {
  it("has pages for the documentation and for the API reference", () => {
    const paths = pages.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(["index.html", "protocol/info.html", "how-to/query-from-a-program.html", "api/index.html"])
    )
    expect(paths.filter((path) => path.startsWith("api/")).length).toBeGreaterThan(20)
  })

  it("contains the dissector on the page of every message", () => {
    const messages = pages.filter(({ path }) => /^protocol\/(?!messages|document)/.test(path))
    expect(messages.length).toBeGreaterThan(10)
    expect(messages.filter(({ html }) => !html.includes('class="dissector"')).map(({ path }) => path)).toEqual([])
  })

  it("has no dead link", () => {
    const ids = new Map(pages.map((page) => [page.path, findIds(page)]))
    const dead = pages.flatMap((page) =>
      [...findLinks(page), ...loadedBy(page)].flatMap((address) => {
        const target = resolveLink(page.path, address, BASE)
        if (target === undefined) return []
        const { id, path } = target
        const found = existsSync(join(site, path)) && (id === "" || ids.get(path)?.has(id) === true)
        return found ? [] : [`${page.path}: ${address}`]
      })
    )
    expect(dead).toEqual([])
  })

  it("loads no files from other hosts, and contains no links to placeholder addresses", () => {
    const foreign = pages.flatMap((page) => loadedBy(page).filter((address) => /^(https?:)?\/\//.test(address)))
    expect(foreign).toEqual([])
    const unknown = pages.flatMap((page) => findLinks(page).filter((address) => /\.invalid([:/]|$)/.test(address)))
    expect(unknown).toEqual([])
  })

  it("has no page that is larger than the size limit", () => {
    const sizes = new Map<string, number>()
    const size = (path: string): number => {
      if (!sizes.has(path)) sizes.set(path, gzippedBytes(join(site, path)))
      return sizes.get(path)!
    }
    const heavy = pages.flatMap((page) => {
      const files = loadedBy(page).map((address) => resolveLink(page.path, address, BASE)!.path)
      const bytes = [page.path, ...files].reduce((sum, path) => sum + size(path), 0)
      return bytes > FIRST_LOAD_BYTES ? [`${page.path}: ${bytes} bytes`] : []
    })
    expect(heavy).toEqual([])
  })

  it("has a link to the playground on every page", () => {
    const isLinked = (page: Page): boolean =>
      findLinks(page).some((address) => resolveLink(page.path, address, BASE)?.path === "playground/index.html")
    // The page for unknown addresses is excluded, because its navigation is created only in the browser.
    const ours = pages.filter(({ path }) => path !== "404.html")
    expect(ours.filter((page) => !isLinked(page)).map(({ path }) => path)).toEqual([])
  })

  it("has a link to the playground in the table of the start page", () => {
    const start = pages.find(({ path }) => path === "index.html")!
    expect(start.html).toContain('<th><a href="./playground/index.html" target="_self"')
  })

  it("lists all pages in llms.txt", () => {
    const links = [...readFileSync(join(site, "llms.txt"), "utf8").matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!)
    expect(links).toEqual(
      expect.arrayContaining(["README.md", "protocol/info.md", "api/transport-node/transport-node.md"])
    )
    expect(links.filter((path) => !existsSync(join(site, path)))).toEqual([])
    const written = globSync("**/*.md", { cwd: site }).map((path) => path.replaceAll(sep, "/"))
    expect(links.toSorted()).toEqual(written.toSorted())
    expect(readFileSync(join(site, "llms-full.txt"), "utf8")).toContain("# A2S_INFO")
  })
})

const screens = {
  "desktop, light": { viewport: { width: 1300, height: 800 }, colorScheme: "light" },
  "phone, dark": { viewport: { width: 390, height: 780 }, colorScheme: "dark", hasTouch: true }
} as const

describe("a page in a browser", () => {
  it.each(Object.entries(screens))(
    "is accessible, and loads the dissector only when the dissector is visible: %s",
    async (_, options) => {
      const page = await (await browser.newContext({ ...options, reducedMotion: "reduce" })).newPage()
      const asked: Array<string> = []
      const wrong: Array<string> = []
      page.on("request", (request) => asked.push(request.url()))
      page.on("response", (response) => void (response.ok() || wrong.push(`${response.status()} ${response.url()}`)))
      page.on("pageerror", (error) => wrong.push(String(error)))
      await page.goto(served.url)
      await page.waitForSelector(".VPContent h1")
      const dissector = page.locator(".dissector").first()
      expect(asked.filter((url) => /Dissector\.\w*[^/]*\.js$/.test(url) && !url.includes("theme"))).toEqual([])
      await dissector.scrollIntoViewIfNeeded()
      await page.click("[data-field='map']")
      await page.waitForSelector(".explanation:has-text('Map being played')")
      expect(await seriousFindings(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      await page.click("text=Open in the playground")
      await page.waitForSelector(".inspector h2:has-text('S2A_INFO_SRC')")
      expect(wrong).toEqual([])
      expect(asked.filter((url) => !url.startsWith(served.url))).toEqual([])
      await page.context().close()
    }
  )
})

describe("the search", () => {
  // All searches use one page, because a new page loads the index of the search again.
  let page: BrowserPage
  beforeAll(async () => {
    page = await browser.newPage()
    await page.goto(served.url)
    await page.click(".VPNavBarSearch button")
  })

  it.each([
    ["challenge", /challenge/],
    ["docker", /run-the-monitor-in-docker|check-server-health\.html#docker/],
    ["uptime", /report-uptime|show-servers-in-uptime-kuma/],
    ["kubernetes probe", /check-server-health\.html#kubernetes/],
    ["systemd", /check-server-health\.html#systemd|run-the-proxy-as-a-service/],
    ["healthcheck", /check-server-health/],
    ["kuma", /show-servers-in-uptime-kuma/],
    ["kener", /show-servers-in-kener/],
    ["homarr", /show-servers-in-homarr/],
    ["pterodactyl", /show-players-in-pterodactyl/],
    ["pelican", /show-players-in-pelican/],
    ["amp", /show-players-in-amp/],
    ["linuxgsm", /check-linuxgsm-servers/],
    ["wireshark", /inspect-a-capture/],
    ["fake servers", /find-fake-servers/],
    ["fake players", /find-fake-servers/],
    ["spoofed player count", /find-fake-servers|faq/],
    ["redirect", /find-fake-servers|start-a-handshake/],
    ["ddos", /protect-a-server-from-query-floods/],
    ["firewall", /configure-a-firewall/],
    ["connect()", /query-from-a-program|first-query|typescript/]
  ])("shows the appropriate page as the first result for “%s”", async (words, address) => {
    await page.fill("#localsearch-input", "")
    await page.waitForSelector("#localsearch-list a", { state: "detached" })
    await page.fill("#localsearch-input", words)
    const first = page.locator("#localsearch-list a").first()
    await first.waitFor()
    expect(await first.getAttribute("href")).toMatch(address)
  })
})
