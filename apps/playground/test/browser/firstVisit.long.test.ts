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
    "leads from the start page to the fields of a reply: $screen, $colorScheme",
    async ({ screen, ...context }) => {
      const { errors, page } = await stage.open("", { withToken: false, bypassCSP: true, ...context })
      expect([screen, await seriousFindings(page)]).toEqual([screen, []])

      // The user opens the step about the reply, and selects the field `map`. The lesson then explains this field.
      await page.click(".step:has-text('The server replies')")
      await page.click("[data-block='map']")
      const explanation = page.locator(".specimen .explanation")
      expect(await explanation.textContent()).toContain("Map being played")
      expect(await explanation.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
      expect(await seriousFindings(page)).toEqual([])

      // The user pastes the bytes of the lesson.
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

  it("on a phone, needs only one tap on a field or a byte to show the explanation of the field", async () => {
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

  it("shows the description of a document after a click on the document's number", async () => {
    const { errors, page } = await stage.open("", { withToken: false })
    await page.click(".cards a:text-is('003')")
    await page.waitForSelector("#document-003.chosen")
    expect(await page.textContent("#document-003")).toContain("The Valve developer wiki in Russian")
    await page.click("#document-003 button:text-is('A list of players')")
    await page.waitForSelector("[data-field='players']")
    await page.click(".inspector-head a:text-is('004')")
    await page.waitForSelector("#document-004.chosen")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it.each([screens[0], screens[3]])(
    "teaches the protocol to beginners, with an exercise in each step: $screen, $colorScheme",
    async ({ colorScheme, viewport }) => {
      const { errors, page } = await stage.open("", { withToken: false, bypassCSP: true, colorScheme, viewport })
      const answers: ReadonlyArray<readonly [title: string, answer: string]> = [
        ["UDP and ports", "27016"],
        ["You send a request", "#header"],
        ["Texts end with a zero", "9"],
        ["You get a challenge", "#challenge"],
        ["Small end first", "27015"],
        ["You repeat the request", "29"],
        ["The server replies", "12"],
        ["You request the rules", "#type"],
        ["The reply is split", "#0:total"],
        ["The second fragment", "#0:number"],
        ["Joined", "35"],
        ["Query an emulated server", "22"]
      ]
      for (const [title, answer] of answers) {
        expect(await page.textContent(".specimen h3")).toBe(title)
        if (title === "Query an emulated server") {
          await page.click("button:text-is('Query the emulated server')")
          await page.waitForSelector(".practice .info-card")
          expect(await page.textContent(".practice")).toContain("4 datagrams")
        } else expect(await page.locator(".block").count()).toBeGreaterThan(1)
        if (title === "Joined") {
          // The bytes of the selected rule are divided between two datagrams. The page lists both parts, and shows the rule.
          expect(await page.locator(".parts li").count()).toBe(2)
          expect(await page.locator(".block[aria-pressed=true]").isVisible()).toBe(true)
        }
        // In the first pass, the user enters no answer. In the second pass, the user enters a wrong answer.
        for (const isGiven of [false, true]) {
          if (isGiven && answer.startsWith("#")) {
            await page
              .locator(`[data-block]:not([data-block='${answer.slice(1)}'])`)
              .first()
              .click()
          } else if (isGiven) await page.fill("[name=answer]", `${answer}0`)
          await page.click("button:text-is('Check')")
          expect([title, isGiven, await page.textContent(".exercise output")]).toEqual([
            title,
            isGiven,
            expect.stringContaining("Not yet.")
          ])
        }
        if (answer.startsWith("#")) await page.click(`[data-block='${answer.slice(1)}']`)
        else await page.fill("[name=answer]", answer)
        await page.click("button:text-is('Check')")
        expect([title, await page.textContent(".exercise output")]).toEqual([title, expect.stringContaining("Right.")])
        await page.click("button:text-is('Next')")
      }
      expect(await page.textContent(".specimen")).toContain("npx sourcewire playground")
      expect(await page.textContent(".exercise .progress")).toBe("12 of 13 exercises solved")
      expect(await page.locator(".solved").count()).toBe(12)
      expect(await page.locator("button:text-is('Next')").isDisabled()).toBe(true)
      expect(await seriousFindings(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      await page.click(".step:has-text('Joined')")
      await page.click("text=The whole exchange")
      await page.waitForSelector("#datagrams")
      expect(await page.locator("#datagrams .datagram").count()).toBe(8)
      expect(errors).toEqual([])
      await page.context().close()
    }
  )

  it("ends with a query of a real server, if there is a bridge", async () => {
    const { errors, page } = await stage.open("", { bypassCSP: true })
    const started = await fetch(`http://127.0.0.1:${stage.bridge.port}/api/servers`, {
      method: "POST",
      headers: { authorization: `Bearer ${stage.bridge.token}`, "content-type": "application/json" },
      body: JSON.stringify({ profile: "tf2", faults: [], count: 1 })
    })
    const [server] = (await started.json()) as ReadonlyArray<{ readonly address: string }>
    await page.click(".step:has-text('Query a real server')")
    // Enter starts the query.
    await page.fill(".practice input", server!.address)
    await page.keyboard.press("Enter")
    await page.waitForSelector(".practice .info-card")
    await page.click("button:text-is('Show the exchange')")
    await page.waitForSelector(".info-card >> text=Round-trip time")
    expect(await page.inputValue("[name=address]")).toBe(server!.address)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
