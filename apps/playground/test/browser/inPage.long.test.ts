import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { copy } from "./stage.ts"
import { setStaticStage, type StaticStage } from "./staticPage.ts"

const WAIT = { timeout: 30_000 }

let stage: StaticStage
beforeAll(async () => {
  stage = await setStaticStage()
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

const tab = (page: Page, name: string) => page.click(`header nav >> text=${name}`)
const label = (page: Page) => page.textContent(".network label:has(input:checked)")

describe("the page without a bridge", () => {
  it("replies to a query, and shows that the query never leaves the page", async () => {
    const { errors, page } = await stage.openStatic("#query")
    await page.click("button:text-is('Query')")
    await page.waitForSelector(".info-card")
    expect(await label(page)).toContain("In this page")
    expect(await page.isDisabled(".network input >> nth=1")).toBe(true)
    // The replies are shown above the exchange.
    expect(await page.locator(".exchange > *").first().getAttribute("class")).toBe("answers")
    expect(await page.locator(".bracket").count()).toBe(1)
    await page.click(".bridge-help summary")
    expect(await page.textContent(".bridge-help")).toContain("npx sourcewire playground")
    expect(errors).toEqual([])
    expect(stage.unknown).toEqual([])
    await page.context().close()
  })

  it("shows a query of a server with packet loss, and offers a link that repeats the query", async () => {
    const { errors, page } = await stage.openStatic("")
    await tab(page, "Emulator")
    await page.selectOption(".preset select", "packet loss")
    await page.click("text=Start and query")
    await page.waitForSelector(".info-card, .problem")
    await page.waitForFunction(() => document.querySelector(".arrow.sent.again") !== null)
    expect(await page.locator(".arrow.unanswered").count()).toBeGreaterThan(0)

    await tab(page, "Emulator")
    const link = await copy(page, "text=Copy link to these servers")
    expect(link).toContain("css_loss-")
    const other = await stage.openStatic(new URL(link).hash)
    await other.page.waitForSelector(".arrow.sent.again")
    expect(await other.page.inputValue("[name=address]")).toBe("127.0.0.1:27016")
    await tab(other.page, "Emulator")
    expect(await other.page.textContent(".running li >> nth=1")).toContain("loss=")
    expect([...errors, ...other.errors]).toEqual([])
    await page.context().close()
    await other.page.context().close()
  })

  it("shows a challenge loop", async () => {
    const { errors, page } = await stage.openStatic("#emulator")
    await page.selectOption(".preset select", "challenge loop")
    await page.click("text=Start and query")
    await page.waitForSelector(".problem >> text=challenge")
    expect(await page.locator(".arrow:has-text('S2C_CHALLENGE')").count()).toBeGreaterThan(3)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("explains how to query a real address", async () => {
    const { page } = await stage.openStatic("#query?a=203.0.113.5%3A27015")
    await page.click("button:text-is('Query')")
    await page.waitForSelector(".problem >> text=is not an emulated server of this page")
    expect(await page.textContent(".problem")).toContain("start the bridge")
    await page.context().close()
  })

  it("can watch a server, query a list, and use a console", async () => {
    const { errors, page } = await stage.openStatic("#emulator")
    await page.fill(".bar input.short", "20")
    await page.click("button:text-is('Start')")
    await page.waitForSelector(".running li >> nth=20")
    await tab(page, "Watch")
    await page.selectOption(".pane select", "500")
    await page.click("button.primary:text-is('Watch')")
    await page.waitForSelector(".plot")
    await page.click("button:text-is('Stop')")
    await tab(page, "Browser")
    await page.click("text=Add the emulated servers")
    await page.click("text=Query all")
    await page.waitForSelector("output[data-done='21']")
    await tab(page, "Console")
    await page.fill("[name=password]", "playground")
    await page.fill("[name=command]", "status")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".console .reply >> text=hostname:")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("plots a watch with its retransmissions, in the colours of the theme", async () => {
    const { errors, page } = await stage.openStatic("#query?e=css_loss-0.4_seed-3&a=127.0.0.1%3A27015", {
      viewport: { width: 390, height: 780 }
    })
    await tab(page, "Watch")
    await page.selectOption(".pane select", "500")
    await page.click("button.primary:text-is('Watch')")
    const mark = page.getByRole("list", { name: "Retransmissions" }).getByRole("listitem").first()
    await mark.waitFor()
    expect(await mark.textContent()).toMatch(/^\d retransmissions?$/)
    const canvas = page.locator(".plot canvas").first()
    const [inside, outside] = await Promise.all([mark.boundingBox(), canvas.boundingBox()])
    expect(inside!.x).toBeGreaterThan(outside!.x)
    expect(inside!.x + inside!.width).toBeLessThan(outside!.x + outside!.width)
    await expect.poll(() => page.locator(".plot").first().textContent(), WAIT).toMatch(/RTT \d.* ms/)
    // In the dark theme, the plot has different colours than in the light theme.
    const drawn = () => canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL())
    await page.click("button:text-is('Stop')")
    const light = await drawn()
    await page.selectOption(".theme select", "dark")
    await expect.poll(drawn, WAIT).not.toBe(light)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(errors).toEqual([])
    await page.context().close()
  })
})

describe("the page with a bridge", () => {
  it("uses the bridge by default, and the network in the page on request", async () => {
    const { errors, page } = await stage.open("query")
    expect(await label(page)).toContain("Bridge: real network")
    await page.check(".network label:has-text('In this page') input")
    await page.fill("[name=address]", "127.0.0.1:27015")
    await page.waitForSelector(".pane")
    await page.click("button:text-is('Query')")
    await page.waitForSelector(".info-card")
    expect(errors).toEqual([])
    await page.context().close()
  })
})
