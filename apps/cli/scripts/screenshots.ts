/**
 * Writes screenshots of the monitor's dashboard to `docs/screenshots`. The dashboard is real, but its servers are emulated, and the history
 * of the servers is generated.
 */
import { photograph } from "@sourcewire/testing/photographs"
import { COMMUNITY } from "../test/monitor/dashboard/community.ts"
import { setStage, type Stage } from "../test/monitor/dashboard/stage.ts"

type Page = Awaited<ReturnType<Stage["open"]>>["page"]

/**
 * In the screenshot of a server's page, the mouse points at a time in the plot. This is the number of hours from that time to the end of
 * the plot.
 */
const POINTED_HOURS = 2

const list = async (page: Page): Promise<void> => {
  await page.waitForSelector(".row .state-up")
  // On a narrow screen, the page hides the column of the plots. Therefore the script only waits until a plot exists, not until it is
  // visible.
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
  await page.waitForSelector(".incidents, .empty")
}

await using stage = await setStage({ servers: COMMUNITY, days: 30 })
const open: Stage["open"] = (context) => stage.open({ ...context, timezoneId: "Europe/Berlin" })
await photograph(
  { browser: stage.browser, open },
  { "monitor-list": list, "monitor-server": server, "monitor-events": events }
)
