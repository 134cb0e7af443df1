import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { setStage, type Stage } from "./stage.ts"

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

const HEX = "ffffffff414ba1d522"
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)

/** Waits until the page's address contains a text. The page updates its address with a short delay. */
const inAddress = (page: Page, part: string) => page.waitForFunction((text) => location.hash.includes(text), part)

describe("Undo", () => {
  it.each(["button", "keys"] as const)(
    "restores cleared bytes, and Redo clears the bytes again (with the %s)",
    async (way) => {
      const { errors, page } = await stage.open("decode", { withToken: false })
      await page.fill("#bytes", HEX)
      await page.waitForSelector("#inspector-bytes")
      await inAddress(page, "d=")
      await page.click("button:text-is('Clear')")
      await page.waitForSelector(".lesson")
      expect(await page.inputValue("#bytes")).toBe("")
      expect(await focused(page)).toBe("Clear")
      if (way === "button") await page.click("button:text-is('Undo')")
      else await page.keyboard.press("ControlOrMeta+z")
      await page.waitForSelector("#inspector-bytes")
      expect(await page.inputValue("#bytes")).toBe(HEX)
      await inAddress(page, "d=")
      if (way === "button") await page.click("button:text-is('Redo')")
      else await page.keyboard.press("ControlOrMeta+Shift+z")
      await page.waitForSelector(".lesson")
      expect(errors).toEqual([])
      await page.context().close()
    }
  )

  it("is different from the Back button, which leaves the view", async () => {
    const { page } = await stage.open("examples", { withToken: false })
    await page.click("nav >> text=Decode")
    await page.fill("#bytes", HEX)
    await page.waitForSelector("#inspector-bytes")
    await page.click("button:text-is('Clear')")
    await page.waitForSelector(".lesson")
    await page.goBack()
    await page.waitForSelector("nav [aria-current]:text-is('Examples')")
    await page.context().close()
  })

  it.each(["button", "keys"] as const)("restores emptied and edited fields (with the %s)", async (way) => {
    const { errors, page } = await stage.open("encode", { withToken: false })
    const back = async () => {
      if (way === "button") await page.click("button:text-is('Undo')")
      else {
        await page.focus("button:text-is('Empty all')")
        await page.keyboard.press("ControlOrMeta+z")
      }
    }
    const before = await page.inputValue("#map")
    await page.fill("#map", "de_nuke")
    await page.fill("#players", "3")
    await page.click("button:text-is('Empty all')")
    expect(await page.inputValue("#map")).toBe("")
    expect(await focused(page)).toBe("Empty all")
    await back()
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#map")?.value === "de_nuke")
    expect(await page.inputValue("#players")).toBe("3")
    await back()
    await back()
    await page.waitForFunction((map) => document.querySelector<HTMLTextAreaElement>("#map")?.value === map, before)
    expect(errors).toEqual([])
    await page.context().close()
  })
})

describe("the form", () => {
  it("accepts an address that the user adds on a new line of a list, and Undo removes this address", async () => {
    const { errors, page } = await stage.open("encode", { withToken: false })
    await page.selectOption("#message", "MasterReply")
    const before = await page.inputValue("#servers")
    await page.focus("#servers")
    await page.keyboard.press("ControlOrMeta+End")
    await page.keyboard.press("Enter")
    await page.keyboard.type("203.0.113.9:27015")
    expect(await page.inputValue("#servers")).toBe(`${before}\n203.0.113.9:27015`)
    await page.click("button:text-is('Undo')")
    await page.waitForFunction(
      (text) => document.querySelector<HTMLTextAreaElement>("#servers")?.value === text,
      before
    )
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("keeps the position of every element if a value is invalid", async () => {
    const { page } = await stage.open("encode", { withToken: false })
    for (const [tag, path, value] of [
      ["InfoReply", "players", "300"],
      ["PlayersReply", "players[0].score", "many"]
    ] as const) {
      await page.selectOption("#message", tag)
      const places = () =>
        page.evaluate(() =>
          [...document.querySelectorAll("[data-path], #encode-bytes, .encode-status")].map((element) => {
            const { height, width, x, y } = element.getBoundingClientRect()
            return [x, y, width, height].map(Math.round).join(" ")
          })
        )
      const before = await places()
      await page.fill(`[id='${path}']`, value)
      await page.waitForSelector(".encode-status.problem")
      expect(await page.textContent(".encode-status")).toContain(path)
      expect(await places()).toEqual(before)
    }
    await page.context().close()
  })

  it("shows the byte of a flag that is neither 0 nor 1, and can replace this byte with 1", async () => {
    const { errors, page } = await stage.open("decode", { withToken: false })
    const strings = Buffer.from("n\0m\0f\0g\0").toString("hex")
    await page.fill("#bytes", `ffffffff4911${strings}0000001000646c02003100`)
    await page.click("button:text-is('Edit as a form')")
    await page.waitForSelector("#message")
    expect(await page.inputValue("#passwordProtected")).toBe("2")
    const flagByte = async () =>
      (await page.textContent("#encode-bytes"))!.replaceAll(/\s/g, "").match(/646c(..)003100/)?.[1]
    await page.fill("#passwordProtected", "3")
    await expect.poll(flagByte).toBe("03")
    await page.click("[data-path='passwordProtected'] button:text-is('Write it as 1')")
    expect(await page.isChecked("#passwordProtected")).toBe(true)
    await expect.poll(flagByte).toBe("01")
    await page.uncheck("#passwordProtected")
    await expect.poll(flagByte).toBe("00")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("keeps the focus in a text field while the text becomes long", async () => {
    const { page } = await stage.open("encode", { withToken: false })
    await page.fill("#name", "x".repeat(88))
    await page.focus("#name")
    await page.keyboard.press("End")
    await page.keyboard.type("yyyyyy")
    expect(await focused(page)).toBe("name")
    expect(await page.inputValue("#name")).toMatch(/y{6}$/)
    await page.context().close()
  })
})

describe("text of a server", () => {
  it("is shown with escapes in place of invisible characters", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    const text = Buffer.from("a\u202eb\u200bc\u0007d", "utf8").toString("hex")
    await page.fill("#bytes", `ffffffff6c${text}00`)
    await page.waitForSelector("[data-field='text']")
    expect(await page.textContent("[data-field='text']")).toContain(String.raw`"a\u202eb\u200bc\u0007d"`)
    const shown = await page.evaluate(() => document.querySelector("#app")!.textContent)
    expect(shown).not.toMatch(/[\u202e\u200b\u0007]/)
    expect(await page.textContent("#datagrams-0 .summary")).toContain("a�b�c␇d")
    await page.context().close()
  })
})
