import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { seriousFindings } from "@sourcewire/testing/accessibility"
import { copy, setStage, type Stage } from "./stage.ts"

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
      await copy(page, "text=Copy these bytes")
      await page.focus("#bytes")
      await page.keyboard.press("ControlOrMeta+V")
      await page.waitForSelector("[data-field='map']")
      expect(await page.textContent(".inspector h2")).toContain("S2A_INFO_SRC")
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      expect(errors).toEqual([])
      await page.context().close()
    }
  )

  it("explains what is tapped on a phone beside it, with one tap", async () => {
    const { page } = await stage.open("examples", {
      withToken: false,
      viewport: { width: 390, height: 780 },
      hasTouch: true
    })
    await page.tap('[data-example="players"]')
    const explanation = page.locator(".inspector > .explanation")
    const isSeen = () =>
      explanation.evaluate((element) => {
        const { bottom, top } = element.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await page.tap('[data-field="players[0]"]')
    await page.waitForSelector('[data-field="players[0].score"]')
    await page.tap('[data-field="players[0].duration"]')
    expect(await explanation.textContent()).toMatch(/Seconds on the server/)
    expect(await isSeen()).toBe(true)
    await page.locator("#inspector-bytes").evaluate((element) => element.scrollIntoView({ block: "center" }))
    await page.tap('.hex .byte[data-at="0:27"]')
    expect(await explanation.textContent()).toContain("Kills or points")
    expect(await isSeen()).toBe(true)
    await page.context().close()
  })

  it("leads from a source to what the document is", async () => {
    const { errors, page } = await stage.open("", { withToken: false })
    await page.click(".cards a:text-is('003')")
    await page.waitForSelector("#document-003.chosen")
    expect(await page.textContent("#document-003")).toContain("The Valve developer wiki in Russian")
    await page.click("#document-003 button:text-is('The players')")
    await page.waitForSelector("[data-field='players']")
    await page.click(".inspector-head a:text-is('004')")
    await page.waitForSelector("#document-004.chosen")
    expect(errors).toEqual([])
    await page.context().close()
  })

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
