import { fromHex } from "@sourcewire/protocol"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readExample } from "../../src/examples/examples.ts"
import { ip, links, pcap } from "../../../../tooling/testing/captureFiles.ts"
import { seriousFindings } from "@sourcewire/testing/accessibility"
import { copy, setStage, type Stage } from "./stage.ts"

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

const reply = readExample("info-css")[0]!.bytes
const question = readExample("info-request")[0]!.bytes

/** Creates a capture in which a client queries three servers ten times each. The second server sends truncated replies. */
const capture = (): Buffer => {
  const client = ["127.0.0.1", 40000] as const
  const frames = Array.from({ length: 60 }, (_, i) => {
    const server = [`127.0.0.${2 + (Math.floor(i / 2) % 3)}`, 27015] as const
    const cut = server[0] === "127.0.0.3" ? reply.subarray(0, 30) : reply
    const packet =
      i % 2 === 0
        ? ip({ source: client, destination: server, payload: question })
        : ip({ source: server, destination: client, payload: cut })
    return { bytes: links[1]!(packet), timeNs: BigInt(i) * 12_500_000n }
  })
  return pcap(1, frames)
}

/** Creates a capture that is so large that the page decodes it in its worker. */
const largeCapture = (): Buffer => {
  const payload = fromHex("ffffffff414ba1d522")!
  const frames = Array.from({ length: 40_000 }, (_, i) => ({
    bytes: links[1]!(ip({ source: ["127.0.0.2", 27015], destination: ["127.0.0.1", 40000 + (i % 50)], payload })),
    timeNs: BigInt(i) * 1_000_000n
  }))
  return pcap(1, frames)
}

const openCapture = async (page: Page, buffer = capture(), name = "three.pcap"): Promise<void> => {
  await page.setInputFiles("input[type=file]", { name, mimeType: "application/octet-stream", buffer })
}
const counted = (page: Page) => page.textContent(".filters output")

describe("the view of a capture", () => {
  it("has column titles and reply times, and can be filtered by server, type, error and words", async () => {
    const { errors, page } = await stage.open("decode", { withToken: false, bypassCSP: true })
    await openCapture(page)
    await page.waitForSelector("#datagrams")
    expect(await page.locator(".heads").textContent()).toContain("Reply, ms")
    expect(await page.locator("#datagrams-1 .reply").textContent()).toBe("12.5")
    expect(await counted(page)).toBe("60 of 60 rows")

    await page.selectOption("[aria-label='Server']", "127.0.0.3:27015")
    expect(await counted(page)).toBe("20 of 60 rows")
    await page.selectOption("[aria-label='Type']", "A2S_INFO")
    expect(await counted(page)).toBe("10 of 60 rows")
    await page.click("button:text-is('All')")
    await page.fill("[aria-label='Words in the row']", "s2a_info_src dust")
    expect(await counted(page)).toBe("20 of 60 rows")
    await page.fill("[aria-label='Words in the row']", "")
    await page.check(".filters input[type=checkbox]")
    expect(await counted(page)).toBe("10 of 60 rows")
    expect(await seriousFindings(page)).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("has buttons for the next and the previous finding", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await openCapture(page)
    // When a capture is opened, its first finding is selected.
    await page.waitForSelector("#datagrams-3.chosen")
    expect(await page.textContent(".problem")).toContain("The datagram ends inside")
    await page.click("text=Next finding")
    await page.waitForSelector("#datagrams-9.chosen")
    await page.click("text=Previous finding")
    await page.waitForSelector("#datagrams-3.chosen")
    expect(await page.locator("text=Previous finding").isDisabled()).toBe(true)
    await page.context().close()
  })

  it("has a link to each conversation", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await openCapture(page)
    await page.selectOption("[aria-label='Server']", "127.0.0.1:40000 ↔ 127.0.0.4:27015")
    const link = await copy(page, "text=Link to these")
    const { page: other } = await stage.open(new URL(link).hash, { withToken: false })
    await other.waitForSelector("#datagrams")
    expect(await counted(other)).toBe("20 of 20 rows")
    expect(await other.locator("#datagrams-1 .ends").textContent()).toBe("127.0.0.4:27015 → 127.0.0.1:40000")
    await page.context().close()
    await other.context().close()
  })

  it("shows the progress of reading a large file", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await page.evaluate(() => {
      const seen: Array<string> = []
      Object.assign(window, { seen })
      new MutationObserver(() => {
        const text = document.querySelector(".work")?.textContent ?? ""
        if (text !== "" && seen.at(-1) !== text) seen.push(text)
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    await openCapture(page, largeCapture(), "large.pcap")
    await page.waitForSelector("#datagrams")
    const seen = await page.evaluate(() => (window as unknown as { seen: ReadonlyArray<string> }).seen)
    expect(seen[0]).toContain("Reading large.pcap")
    expect(await page.locator(".work").count()).toBe(0)
    await page.context().close()
  }, 60_000)

  it("can undo an edit of a large capture while the capture is decoded again", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await openCapture(page, largeCapture(), "large.pcap")
    await page.click("[data-at='0:5']")
    const showsByte = (value: string) => page.waitForSelector(`[data-at='0:5']:text-is('${value}')`)
    await page.keyboard.type("0")
    await page.keyboard.press("ControlOrMeta+z")
    await showsByte("4b")
    await page.waitForSelector(".work", { state: "detached" })
    await page.click("[data-at='0:5']")
    await page.keyboard.type("1")
    await showsByte("1b")
    await page.context().close()
  }, 60_000)

  it("applies all digits that the user types while a large capture is decoded", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await openCapture(page, largeCapture(), "large.pcap")
    await page.click("[data-at='0:5']")
    await page.keyboard.type("012345")
    for (const [offset, value] of [
      ["5", "01"],
      ["6", "23"],
      ["7", "45"]
    ]) {
      await page.waitForSelector(`[data-at='0:${offset}']:text-is('${value}')`)
    }
    await page.context().close()
  }, 60_000)

  it("moves the cursor with the arrow keys while another capture is decoded", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await openCapture(page, largeCapture(), "large.pcap")
    await page.click("[data-at='0:5']")
    await openCapture(page, largeCapture(), "again.pcap")
    await page.waitForSelector(".work")
    await page.focus("#inspector-bytes")
    await page.keyboard.press("ArrowRight")
    expect(await page.locator(".byte.cursor").getAttribute("data-at")).toBe("0:6")
    await page.context().close()
  }, 60_000)

  it("has resizable panes", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await openCapture(page)
    const fields = page.locator("#inspector-fields")
    await fields.waitFor()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const before = (await fields.boundingBox())!
    await page.mouse.move(before.x + before.width - 4, before.y + before.height - 4)
    await page.mouse.down()
    await page.mouse.move(before.x + before.width + 96, before.y + before.height - 4)
    await page.mouse.up()
    expect((await fields.boundingBox())!.width).toBeGreaterThan(before.width + 60)
    await page.context().close()
  })
})

describe("an unreadable input", () => {
  it("causes the page to mark the previous result as stale", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await page.fill("#bytes", "ffffffff414ba1d522")
    await page.waitForSelector("#inspector-bytes")
    expect(await page.locator(".stale").count()).toBe(0)
    await page.fill("#bytes", "ffffffff41 zz")
    await page.waitForSelector(".stale[inert]")
    expect(await page.textContent(".paste output")).toContain("The data below belongs to the previous input")
    await openCapture(page, Buffer.alloc(9_000_000, 7), "nothing.bin")
    await page.waitForFunction(() => document.querySelector(".paste output")?.textContent?.includes("nothing.bin"))
    expect(await page.locator(".stale").count()).toBe(1)
    await page.fill("#bytes", "ffffffff414ba1d522")
    await page.waitForSelector(".decoded:not(.stale)")
    await page.context().close()
  })
})
