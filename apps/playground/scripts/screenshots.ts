/**
 * Writes screenshots for the documentation to `docs/screenshots` at the root of the repository. During the screenshots, no bridge is
 * connected to the page.
 */
import type { Page } from "playwright-core"
import { photograph } from "@sourcewire/testing/photographs"
import { setStaticStage } from "../test/browser/staticPage.ts"

const start = async (page: Page): Promise<void> => {
  await page.click("text=My server shows 0 players")
  await page.mouse.move(0, 0)
}

const findings = async (page: Page): Promise<void> => {
  await page.click("button:text-is('More than 255 players do not fit into the count')")
  await page.click("button:text-is('Show bytes')")
  await page.waitForSelector(".hex .byte.pointed")
  await page.mouse.move(0, 0)
}

const decode = async (page: Page): Promise<void> => {
  await page.click("nav >> text=Examples")
  await page.click('[data-example="rules-goldsource-split"]')
  await page.waitForSelector("#inspector-bytes")
  await page.evaluate(() => void (document.querySelector("#inspector-fields")!.scrollTop = 71 * 24))
  await page.locator('[data-field="rules[75]"]').click()
  await page.mouse.move(0, 0)
}

await using stage = await setStaticStage()
await photograph(
  { browser: stage.browser, open: (context) => stage.openStatic("", context) },
  { start, findings, decode },
  [["light", "wide"]]
)
