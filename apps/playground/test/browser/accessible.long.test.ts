/** Checks every view of the page with axe and with the keyboard, in both themes, on a desktop and on a phone. The page has no bridge. */
import { accessibilityFindings, findingsInBothThemes } from "@sourcewire/testing/accessibility"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { setStaticStage, type StaticStage } from "./staticPage.ts"

let stage: StaticStage
beforeAll(async () => {
  stage = await setStaticStage()
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

const WAIT = { timeout: 30_000 }

const tab = (page: Page, name: string) => page.click(`header nav >> text=${name}`)

/** All views, each with a function that opens the view. The functions must run in this order. */
const views: ReadonlyArray<readonly [name: string, show: (page: Page) => Promise<unknown>]> = [
  ["first screen", (page) => page.waitForSelector(".lesson")],
  ["causes of a problem", (page) => page.click("text=My server shows 0 players")],
  ["step of the lesson with fields", (page) => page.click(".step:has-text('The server replies')")],
  ["step of the lesson with joined fragments", (page) => page.click(".step:has-text('Joined')")],
  ["query of the lesson", (page) => page.click(".step:has-text('Query an emulated server')")],
  ["end of the lesson", (page) => page.click(".step:has-text('Query a real server')")],
  [
    "findings",
    async (page) => {
      await page.click("button:text-is('More than 255 players do not fit into the count')")
      await page.click("button:text-is('Show bytes') >> nth=0")
      await page.waitForSelector(".hex .byte.pointed")
    }
  ],
  ["datagrams as arrows", (page) => page.click("text=As arrows between both ends")],
  ["menu for exports", (page) => page.click(".menu > summary")],
  [
    "bytes to serve",
    async (page) => {
      await page.keyboard.press("Escape")
      await page.click("text=Serve these bytes")
      await page.waitForSelector("[aria-label='Serve these bytes']")
    }
  ],
  ["form of a message", (page) => tab(page, "Encode")],
  ["form of a list", (page) => page.selectOption("#message", "PlayersReply")],
  ["query", (page) => tab(page, "Query")],
  [
    "reply",
    async (page) => {
      await page.click("button.primary:text-is('Query')")
      await page.waitForSelector(".info-card")
      await page.evaluate(() =>
        document.querySelectorAll("main details").forEach((one) => one.setAttribute("open", ""))
      )
      await page.locator(".arrow").last().click()
      await page.waitForSelector("#exchange-bytes")
    }
  ],
  [
    "address of a real server",
    async (page) => {
      await page.fill("[name=address]", "203.0.113.5:27015")
      await page.click("button.primary:text-is('Query')")
      await page.waitForSelector(".real-server")
      await page.fill("[name=address]", "127.0.0.1:27015")
    }
  ],
  ["watch", (page) => tab(page, "Watch")],
  [
    "plots",
    async (page) => {
      await page.click("button.primary:text-is('Watch')")
      await page.waitForSelector(".plot canvas")
      await page.click("button:text-is('Stop')")
    }
  ],
  ["browser", (page) => tab(page, "Browser")],
  [
    "list with a failed server and a word that is not an address",
    async (page) => {
      await page.fill("#addresses", "hello 127.0.0.1:27015 127.0.0.1:1")
      await page.click("text=Query all")
      await page.waitForSelector("output[data-done='2']")
    }
  ],
  ["console", (page) => tab(page, "Console")],
  [
    "console with a reply and an error",
    async (page) => {
      for (const password of ["playground", "wrong"]) {
        await page.fill("[name=password]", password)
        await page.fill("[name=command]", "status")
        await page.click("button:text-is('Run')")
        await page.waitForSelector(password === "wrong" ? ".console .error" : ".console .reply")
      }
    }
  ],
  [
    "emulator",
    async (page) => {
      await tab(page, "Emulator")
      await page.waitForSelector(".running li")
    }
  ],
  ["examples", (page) => tab(page, "Examples")],
  [
    "bytes that are not hex",
    async (page) => {
      await tab(page, "Decode")
      await page.fill("#bytes", "ff ff zz")
      await page.waitForSelector(".paste output.wrong")
    }
  ]
]

describe("every view", () => {
  it.each([1280, 390])(
    "has no accessibility findings in both themes, and fits into the window: %i px",
    async (width) => {
      const { errors, page } = await stage.openStatic("", { bypassCSP: true, viewport: { width, height: 800 } })
      for (const [name, show] of views) {
        await show(page)
        expect([name, await findingsInBothThemes(page, accessibilityFindings)]).toEqual([name, []])
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect([name, excess]).toEqual([name, 0])
      }
      expect(errors).toEqual([])
      await page.context().close()
    },
    120_000
  )
})

/** Returns the text or label of the focused element, and whether the element is visible and has a focus mark. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return undefined
    // An arrow shows the focus on its rectangle. A hidden file input shows the focus on its label.
    const marked = element.matches(".arrow") ? element.querySelector("rect")! : (element.closest(".button") ?? element)
    const { outlineStyle, stroke } = getComputedStyle(marked)
    const { height, width } = marked.getBoundingClientRect()
    return {
      name: element.getAttribute("aria-label") ?? element.textContent ?? "",
      isVisible: width > 0 && height > 0,
      isMarked: outlineStyle !== "none" || (element.matches(".arrow") && stroke !== "none")
    }
  })

const press = async (page: Page, ...keys: ReadonlyArray<string>): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Presses Tab until an element with this name has the focus. */
const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  for (let i = 0; i < 100; i++) {
    await press(page, "Tab")
    const found = (await focus(page))?.name ?? ""
    if (typeof name === "string" ? found === name : name.test(found)) return
  }
  throw new Error(`Tab does not reach ${name}`)
}

describe("a user with only a keyboard", () => {
  it("can reach every control of each view, and sees which control has the focus", async () => {
    const { errors, page } = await stage.openStatic("")
    for (const name of ["Decode", "Encode", "Query", "Watch", "Browser", "Console", "Emulator", "Examples"]) {
      await tab(page, name)
      await page.waitForSelector("main button, main a")
      if (name === "Query") {
        await page.click("button.primary:text-is('Query')")
        await page.waitForSelector(".arrow")
      }
      const expected = await page.evaluate(() => {
        document.body.tabIndex = -1
        document.body.focus()
        document.body.removeAttribute("tabindex")
        const all = document.querySelectorAll<HTMLElement>("a[href], button:not([disabled]), select, textarea, summary")
        return [...all].filter((one) => one.tabIndex >= 0 && one.checkVisibility()).length
      })
      let stops = 0
      for (let at = await next(page); at !== undefined; at = await next(page)) {
        stops++
        expect([name, at]).toEqual([name, { ...at, isVisible: true, isMarked: true }])
      }
      expect([name, stops >= expected, stops, expected]).toEqual([name, true, stops, expected])
    }
    expect(errors).toEqual([])
    await page.context().close()
  }, 120_000)

  it("can open the explanation of a problem, go back, and return to the explanation with Forward or Undo", async () => {
    const { errors, page } = await stage.openStatic("")
    await tabTo(page, "My server shows 0 players")
    await press(page, "Enter")
    await tabTo(page, "All players are bots")
    await press(page, "Enter")
    await page.waitForSelector(".finding")
    // The page no longer shows the pressed button. Therefore the focus moves to the findings.
    await expect.poll(async () => (await focus(page))?.name, WAIT).toBe("Findings")
    await tabTo(page, /^Export/)
    await press(page, "Enter")
    await page.waitForSelector(".menu[open]")
    await press(page, "Escape")
    expect(await page.locator(".menu[open]").count()).toBe(0)
    expect((await focus(page))?.name).toMatch(/^Export/)
    await tabTo(page, "Show bytes")
    await press(page, "Enter")
    await page.waitForSelector(".hex .byte.pointed")

    await page.waitForFunction(() => location.hash.includes("d="))
    await page.goBack()
    await page.waitForSelector(".lesson")
    expect(await page.isVisible("button:text-is('All players are bots')")).toBe(true)
    await page.goForward()
    await page.waitForSelector("[data-finding=all-bots]")
    await page.goBack()
    await page.waitForSelector(".lesson")
    await press(page, "ControlOrMeta+z")
    await page.waitForSelector("[data-finding=all-bots]")
    await press(page, "ControlOrMeta+Shift+z")
    await page.waitForSelector(".lesson")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("can query a server and open the bytes of the exchange", async () => {
    const { errors, page } = await stage.openStatic("#query")
    await page.focus("[name=address]")
    await press(page, "Enter")
    await page.waitForSelector(".info-card")
    await tabTo(page, /^sent to the server/)
    await press(page, "Enter")
    await page.waitForSelector("#exchange-bytes")
    expect(errors).toEqual([])
    await page.context().close()
  })
})

/** Moves the focus to the next element, and describes this element. Returns `undefined` after the last element. */
const next = async (page: Page) => {
  await press(page, "Tab")
  return focus(page)
}
