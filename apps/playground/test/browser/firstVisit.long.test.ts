import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { seriousFindings } from "./accessibility.ts"
import { setStage, type Stage } from "./stage.ts"

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

const screens = [
  { screen: "desktop", viewport: { width: 1200, height: 740 }, colorScheme: "light" },
  { screen: "desktop", viewport: { width: 1200, height: 740 }, colorScheme: "dark" },
  { screen: "phone", viewport: { width: 390, height: 780 }, colorScheme: "light", hasTouch: true },
  { screen: "phone", viewport: { width: 390, height: 780 }, colorScheme: "dark", hasTouch: true }
] as const

describe("a first visit", () => {
  it.each(screens)(
    "goes from the start page to a reply taken apart: $screen, $colorScheme",
    async ({ screen, ...context }) => {
      const { errors, page } = await stage.open("", { withToken: false, bypassCSP: true, ...context })
      expect([screen, await seriousFindings(page)]).toEqual([screen, []])

      // The reply, its map, and what the map means.
      await page.click(".step:has-text('It answers')")
      await page.click("[data-block='map']")
      const explanation = page.locator(".specimen .explanation")
      expect(await explanation.textContent()).toContain("Map being played")
      expect(await explanation.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
      expect(await seriousFindings(page)).toEqual([])

      // The same bytes, pasted.
      await page.click("text=Copy these bytes")
      await page.focus("#bytes")
      await page.keyboard.press("ControlOrMeta+V")
      await page.waitForSelector("[data-field='map']")
      expect(await page.textContent(".inspector h2")).toContain("S2A_INFO_SRC")
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      expect(errors).toEqual([])
      await page.context().close()
    }
  )

  it("tells one exchange in eight steps, from the question to the joined reply", async () => {
    const { errors, page } = await stage.open("", { withToken: false })
    const names: Array<string> = []
    for (;;) {
      names.push((await page.textContent(".specimen h3"))!)
      expect(await page.locator(".block").count()).toBeGreaterThan(1)
      if (await page.locator("button:text-is('Next')").isDisabled()) break
      await page.click("button:text-is('Next')")
    }
    expect(names).toEqual([
      "You ask",
      "It challenges",
      "You repeat",
      "It answers",
      "You ask for the rules",
      "It answers, split",
      "The second part",
      "Joined"
    ])
    await page.click("text=The whole exchange")
    await page.waitForSelector("#datagrams")
    expect(await page.locator("#datagrams .datagram").count()).toBe(8)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
