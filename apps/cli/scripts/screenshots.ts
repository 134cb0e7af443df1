/**
 * Photographs the monitor's dashboard, light and dark, wide and on a phone, into `docs/screenshots` at the root of the repository. The
 * servers are emulated and their past is made up; everything else is as it is.
 */
import { webpIn } from "@sourcewire/playground/browser"
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { COMMUNITY } from "../test/monitor/dashboard/community.ts"
import { setStage, type Stage } from "../test/monitor/dashboard/stage.ts"

type Page = Awaited<ReturnType<Stage["open"]>>["page"]

const directory = fileURLToPath(new URL("../../../docs/screenshots", import.meta.url))

const screens = [
  { name: "wide", viewport: { width: 1200, height: 740 } },
  { name: "phone", viewport: { width: 390, height: 780 } }
] as const

/** Hours before now at which the pointer is. */
const POINTED_HOURS = 2

const list = async (page: Page): Promise<void> => {
  await page.waitForSelector(".row .state-up")
  // A phone has no room for them.
  await page.waitForSelector(".cell-day .line", { state: "attached" })
}

const server = async (page: Page): Promise<void> => {
  await page.locator(".row").filter({ hasText: COMMUNITY[0]!.name }).click()
  const plot = page.locator(".plot .u-over").first()
  await plot.waitFor()
  const { height, width } = (await plot.boundingBox())!
  await plot.hover({ position: { x: width * (1 - POINTED_HOURS / 24), y: height / 2 } })
  await page.locator(".plot .pointed").nth(2).waitFor()
}

const events = async (page: Page): Promise<void> => {
  await page.click("nav >> text=Events")
  await page.waitForSelector(".changes li")
}

const VIEWS = { list, server, events }

await using stage = await setStage({ servers: COMMUNITY, days: 30 })
const webpOf = await webpIn(stage.browser)
mkdirSync(directory, { recursive: true })

for (const { name: screen, viewport } of screens) {
  for (const colorScheme of ["light", "dark"] as const) {
    const { errors, page } = await stage.open({ colorScheme, viewport, timezoneId: "Europe/Berlin" })
    for (const [view, show] of Object.entries(VIEWS)) {
      await show(page)
      await page.evaluate("scrollTo(0, 0)")
      const png = await page.screenshot({ animations: "disabled", caret: "hide" })
      writeFileSync(`${directory}/monitor-${view}-${colorScheme}-${screen}.webp`, await webpOf(png))
    }
    if (errors.length > 0) throw new Error(errors.join("\n"))
    await page.context().close()
  }
}
