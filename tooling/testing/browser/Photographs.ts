/** Takes pictures of a page's views for `docs/screenshots`, in a light and a dark theme, on a wide screen and on a phone. */
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { webpIn } from "./Chromium.ts"

const directory = fileURLToPath(new URL("../../../docs/screenshots", import.meta.url))

const VIEWPORTS = { wide: { width: 1200, height: 740 }, phone: { width: 390, height: 780 } }

/** A theme, and the size of the screen. */
type Variant = readonly [colorScheme: "light" | "dark", screen: keyof typeof VIEWPORTS]

const ALL: ReadonlyArray<Variant> = [
  ["light", "wide"],
  ["dark", "wide"],
  ["light", "phone"],
  ["dark", "phone"]
]

interface Stage {
  readonly browser: Browser
  readonly open: (
    context: BrowserContextOptions
  ) => Promise<{ readonly page: Page; readonly errors: ReadonlyArray<string> }>
}

/** Opens each view of the page in each variant, and stores a picture of the view. Throws if the page reports an error. */
export const photograph = async (
  { browser, open }: Stage,
  views: Readonly<Record<string, (page: Page) => Promise<void>>>,
  variants = ALL
): Promise<void> => {
  const convertToWebp = await webpIn(browser)
  mkdirSync(directory, { recursive: true })
  for (const [colorScheme, screen] of variants) {
    const { errors, page } = await open({ colorScheme, viewport: VIEWPORTS[screen] })
    for (const [view, show] of Object.entries(views)) {
      await show(page)
      await page.evaluate("scrollTo(0, 0)")
      const png = await page.screenshot({ animations: "disabled", caret: "hide" })
      writeFileSync(`${directory}/${view}-${colorScheme}-${screen}.webp`, await convertToWebp(png))
    }
    if (errors.length > 0) throw new Error(errors.join("\n"))
    await page.context().close()
  }
}
