/** Serves the built page with a real bridge, and shows the page in a real browser. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { inject, vi } from "vitest"
import { type PlaygroundOptions, type RunningPlayground, startPlayground } from "../../bridge/index.ts"
import { launch } from "@sourcewire/testing/browser"

/** An open page, and its errors. */
export interface Opened {
  readonly page: Page
  /** Errors of scripts, errors and warnings in the browser's console, and violations of the content security policy. */
  readonly errors: ReadonlyArray<string>
}

/** A browser, a bridge and the built page. */
export interface Stage extends AsyncDisposable {
  readonly browser: Browser
  readonly bridge: RunningPlayground
  /** Directory of the built page. */
  readonly built: string
  /** Opens the page with this fragment in its address. If `withToken` is not `false`, the address also contains the bridge's token. */
  readonly open: (
    fragment: string,
    options?: BrowserContextOptions & { readonly withToken?: boolean }
  ) => Promise<Opened>
}

/** Opens an address in a new browser context, and collects the errors of the page. */
export const openPage = async (browser: Browser, url: string, context: BrowserContextOptions): Promise<Opened> => {
  const page = await (
    await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...context })
  ).newPage()
  const errors: Array<string> = []
  page.on("pageerror", (error) => errors.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text())
  })
  await page.goto(url)
  await page.waitForSelector("main > *")
  return { page, errors }
}

/** Clicks an element that copies a text, and returns the text of the clipboard. */
export const copy = async (page: Page, selector: string): Promise<string> => {
  await page.evaluate(() => navigator.clipboard.writeText(""))
  await page.click(selector)
  return vi.waitUntil(() => page.evaluate(() => navigator.clipboard.readText()), { timeout: 30_000 })
}

/** Starts a bridge that serves the built page, and starts the browser. */
export const setStage = async (options: PlaygroundOptions = {}): Promise<Stage> => {
  const built = inject("page")
  const bridge = await startPlayground({ page: built, ...options })
  const browser = await launch()
  const open: Stage["open"] = async (fragment, { withToken = true, ...context } = {}) => {
    const [name = "", query = ""] = fragment.replace(/^#/, "").split("?", 2)
    const token = withToken ? `token=${bridge.token}` : ""
    const parameters = [query, token].filter((part) => part !== "").join("&")
    return openPage(browser, `http://127.0.0.1:${bridge.port}/#${name}?${parameters}`, context)
  }
  const close = async (): Promise<void> => {
    await browser.close()
    await bridge.close()
  }
  return { browser, bridge, built, open, [Symbol.asyncDispose]: close }
}
