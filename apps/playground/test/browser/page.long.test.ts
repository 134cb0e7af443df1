import { fromHex } from "@sourcewire/protocol"
import type { Page } from "playwright-core"
import { seriousFindings } from "@sourcewire/testing/accessibility"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readExample } from "../../src/examples/examples.ts"
import { HEX, spellings } from "../../../../tooling/testing/spellings.ts"
import { ip, links, pcap } from "../../../../tooling/testing/captureFiles.ts"
import { copy, setStage, type Stage } from "./stage.ts"

let stage: Stage
beforeAll(async () => {
  stage = await setStage({ rcon: true })
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

const field = (page: Page, path: string) => page.locator(`[data-field="${path}"]`)
const bytes = (page: Page, kind: "marked" | "chosen") => page.locator(`.hex .byte.${kind}`)
const openExample = async (page: Page, id: string): Promise<void> => {
  await page.click("nav >> text=Examples")
  await page.click(`[data-example="${id}"]`)
  await page.waitForSelector("#inspector-bytes")
}

describe("the Decode view", () => {
  it.each(spellings)("reads bytes in this format: $name", async ({ spelling, text }) => {
    const { errors, page } = await stage.open("decode", { withToken: false })
    await page.fill("#bytes", text)
    await page.waitForSelector("#inspector-bytes")
    expect(await page.textContent(".paste output")).toContain(
      `Read as ${spelling}: 1 datagram, ${HEX.length / 2} bytes`
    )
    expect(await field(page, "map").textContent()).toContain("de_dust")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("explains the keywords of a game", async () => {
    const { errors, page } = await stage.open("decode", { withToken: false })
    const text = (value: string): string => Buffer.from(`${value}\0`).toString("hex")
    const rust = `ffffffff4911${text("name")}${text("map")}${text("rust")}${text("Rust")}00002c9000646c0001${text("1")}`
    await page.fill("#bytes", `${rust}21${text("cp300,qp12,x^1y")}4ada030000000000`)
    await page.waitForSelector("summary >> text=Settings of Rust")
    expect(await page.locator(".inspector .table tr").allTextContents()).toEqual([
      "SettingValueAs sent",
      "Players300cp300",
      "Waiting to join12qp12"
    ])
    expect(await page.textContent(".inspector details p.quiet")).toContain("Unknown keywords: xy")
    expect(await seriousFindings(page)).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("marks the bytes of a rule that is split between two datagrams", async () => {
    const { errors, page } = await stage.open("examples", { withToken: false })
    await openExample(page, "rules-goldsource-split")
    expect(await field(page, "rules").textContent()).toContain("93")
    await page.evaluate(() => void (document.querySelector("#inspector-fields")!.scrollTop = 72 * 24))
    await field(page, "rules[75]").hover()
    await page.waitForSelector(".hex .byte.marked")
    const sections = await bytes(page, "marked").evaluateAll((cells) =>
      cells.map((cell) => (cell as HTMLElement).dataset["at"]!.split(":")[0])
    )
    expect(new Set(sections)).toEqual(new Set(["0", "1"]))
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("if the user selects a byte or a field with the pointer or the keyboard, the view marks the field and its bytes", async () => {
    const { errors, page } = await stage.open("examples", { withToken: false })
    await openExample(page, "info-css")
    await page.locator('.hex .byte[data-at="0:6"]').hover()
    await page.waitForSelector('.field.marked[data-field="name"]')
    await page.locator('.hex .byte[data-at="0:4"]').click()
    await page.waitForSelector('.field.chosen[data-field="type"]')
    await page.keyboard.press("ArrowRight")
    await page.waitForSelector('.field.chosen[data-field="protocol"]')
    // The next steps may scroll the page, and another field may then be below the pointer. The view would mark that field. Therefore the
    // test moves the pointer to the corner of the page.
    await page.mouse.move(0, 0)
    await page.focus("#inspector-fields")
    await page.keyboard.press("ArrowDown")
    await page.waitForSelector('.field.chosen[data-field="name"]')
    expect(await page.getAttribute("#inspector-fields", "aria-activedescendant")).toBe("inspector-fields-3")
    expect(await bytes(page, "chosen").count()).toBe("game2xs.com Counter-Strike Source #1".length + 1)
    expect(await page.textContent(".explanation")).toContain("Name of the server")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("marks the byte where a reply is truncated", async () => {
    const { page } = await stage.open("examples", { withToken: false })
    await openExample(page, "made-truncated")
    expect(await page.textContent(".problem")).toMatch(/announces 93 rules, but ends after 66 complete entries/)
    await page.focus("#inspector-fields")
    await page.keyboard.press("End")
    const missing = page.locator(".hex .byte.tone-error")
    expect(await missing.getAttribute("data-at")).toBe("0:1260")
    await page.context().close()
  })

  it("explains what was expected at the byte where decoding failed", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await page.fill("#bytes", HEX.slice(0, 40))
    expect(await page.textContent(".problem")).toMatch(/ends inside InfoReply\.name at byte 6: 14 bytes, no NUL/)
    expect(await page.locator(".hex .byte.tone-error").getAttribute("data-at")).toBe("0:6")
    await page.fill("#bytes", "ff ff zz ff ff ff")
    expect(await page.textContent(".paste output")).toMatch(/“zz” is not hex/)
    await page.context().close()
  })

  it("copies a link that opens the same state", async () => {
    const { page } = await stage.open("examples", { withToken: false })
    await openExample(page, "made-compressed")
    await field(page, "rules[1]").click()
    const link = await copy(page, "text=Copy link")
    expect(link).not.toContain("token")
    const { errors, page: other } = await stage.open(new URL(link).hash, { withToken: false })
    await other.waitForSelector('.field.chosen[data-field="rules[1]"]')
    expect(await field(other, "rules").textContent()).toContain("96")
    expect(
      (await other.locator(".hex-title.inflated").count()) + (await other.locator(".datagram").count())
    ).toBeGreaterThan(3)
    // A reload does not change the view, because the address contains the state.
    await other.reload()
    await other.waitForSelector('.field.chosen[data-field="rules[1]"]')
    expect(errors).toEqual([])
    await page.context().close()
    await other.context().close()
  })

  it("creates elements only for the visible rows of a large capture, at any scroll position", async () => {
    const reply = readExample("xash-rules-count-0")[0]!.bytes.subarray(0, 200)
    const frames = Array.from({ length: 5000 }, (_, i) => {
      const payload = i % 2 === 0 ? fromHex("ffffffff56ffffffff")! : Uint8Array.from(reply)
      const ends = [
        ["127.0.0.1", 40000],
        ["127.0.0.2", 27015]
      ] as const
      const [source, destination] = i % 2 === 0 ? ends : [ends[1], ends[0]]
      return { bytes: links[1]!(ip({ source, destination, payload })), timeNs: BigInt(i) * 1_000_000n }
    })
    const { errors, page } = await stage.open("decode", { withToken: false })
    await page.setInputFiles("input[type=file]", {
      name: "large.pcap",
      mimeType: "application/octet-stream",
      buffer: pcap(1, frames)
    })
    await page.waitForSelector("#datagrams")
    expect(await page.textContent(".paste output")).toContain("5000 datagrams")
    expect(await page.locator(".datagram").count()).toBeLessThan(60)
    await page.focus("#datagrams")
    await page.keyboard.press("End")
    await page.waitForSelector("#datagrams-4999")
    const most = await page.evaluate(async () => {
      const list = document.querySelector("#datagrams")!
      let rows = 0
      for (let i = 0; i < 50; i++) {
        list.scrollTop = (i * 2600) % (list.scrollHeight - list.clientHeight)
        await new Promise(requestAnimationFrame)
        rows = Math.max(rows, document.querySelectorAll(".datagram").length)
      }
      return rows
    })
    expect(most).toBeLessThan(60)
    expect(errors).toEqual([])
    await page.context().close()
  }, 60_000)
})

describe("the Encode view", () => {
  it("creates bytes that decode to the entered values", async () => {
    const { errors, page } = await stage.open("encode", { withToken: false })
    await page.selectOption("#message", "InfoReply")
    await page.fill("[id='map']", "de_nuke")
    await page.fill("[id='players']", "300")
    expect(await page.textContent("[data-path='players'] .wrong")).toMatch(/players .*255/)
    expect(await page.locator("button.primary").isDisabled()).toBe(true)
    await page.fill("[id='players']", "30")
    await page.fill("[id='steamId']", "90071996842377216")
    await page.click("button:text-is('Decode')")
    await page.waitForSelector("#inspector-bytes")
    expect(await field(page, "map").textContent()).toContain('"de_nuke"')
    expect(await field(page, "steamId").textContent()).toContain("90071996842377216")
    const before = await page.inputValue("#bytes")
    await page.click("button:text-is('Edit as a form')")
    await page.waitForSelector("#message")
    expect(await page.inputValue("[id='map']")).toBe("de_nuke")
    await page.click("button:text-is('Decode')")
    await page.waitForSelector("#inspector-bytes")
    expect(await page.inputValue("#bytes")).toBe(before)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("offers a form for every message, and restores a form from a link", async () => {
    const { errors, page } = await stage.open("encode", { withToken: false })
    const tags = await page
      .locator("#message option")
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
    for (const tag of tags) {
      await page.selectOption("#message", tag)
      expect([tag, await page.locator(".encode .problem").count()]).toEqual([tag, 0])
    }
    await page.selectOption("#message", "ChallengeReply")
    await page.fill("[id='challenge']", "12345")
    const link = await copy(page, "button:text-is('Link')")
    await page.click("button:text-is('TypeScript')")
    const { page: other } = await stage.open(new URL(link).hash, { withToken: false })
    await other.waitForFunction(
      () => (document.querySelector("#challenge") as HTMLInputElement | null)?.value === "12345"
    )
    expect(errors).toEqual([])
    await page.context().close()
    await other.context().close()
  })
})

describe("the page for queries", () => {
  it("explains how to start a bridge if there is no bridge", async () => {
    const { errors, page } = await stage.open("query", { withToken: false })
    expect(await page.textContent("main")).toContain("sourcewire playground")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("draws a live query with packet loss and challenges, and opens the bytes of the exchange", async () => {
    const { errors, page } = await stage.open("query")
    await page.click("nav >> text=Emulator")
    await page.fill(".faults label:has(code:text-is('drop-first')) input", "1")
    await page.fill(".faults label:has(code:text-is('rechallenge')) input", "1")
    await page.click("button:text-is('Start')")
    await page.click(".running li button:text-is('Query')")
    await page.waitForSelector(".info-card")
    expect(await page.locator(".arrow.unanswered").count()).toBeGreaterThan(0)
    expect(await page.locator(".arrow.sent.again").count()).toBeGreaterThan(0)
    await page.locator(".arrow").last().click()
    await page.waitForSelector("#exchange-bytes")
    expect(await page.textContent(".inspector h2")).toContain("S2A_RULES")
    await page.click("text=Decode the exchange")
    await page.waitForSelector("#datagrams")
    expect(await page.locator(".datagram").count()).toBeGreaterThan(8)
    expect(await page.evaluate(() => location.href)).not.toContain("token")
    await page.goto(`http://127.0.0.1:${stage.bridge.port}/#query`)
    await page.click("nav >> text=Emulator")
    await page.click("button:text-is('Stop all')")
    await page.waitForFunction(() => document.querySelectorAll(".running li").length === 0)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("runs a console command", async () => {
    const { errors, page } = await stage.open("query")
    await page.click("nav >> text=Emulator")
    await page.click("button:text-is('Start')")
    const address = await page.textContent(".running li code")
    await page.click("nav >> text=Console")
    await page.fill("input[name=address]", address!)
    await page.fill("input[name=password]", "playground")
    await page.fill("input[name=command]", "status")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".console .reply")
    expect(await page.textContent(".console .reply")).toContain("hostname:")
    await page.fill("input[name=password]", "wrong")
    await page.fill("input[name=command]", "status")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".console .error")
    await page.click("nav >> text=Emulator")
    await page.click("button:text-is('Stop all')")
    // The test waits until all servers have stopped, because the next test counts the running servers.
    await page.waitForFunction(() => document.querySelectorAll(".running li").length === 0)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("queries a long list of emulated servers, and sorts and filters the results", async () => {
    const { errors, page } = await stage.open("query")
    await page.click("nav >> text=Emulator")
    const startServers = async (profile: string, count: number, running: string): Promise<void> => {
      await page.selectOption(".emulate select", profile)
      await page.fill(".bar input.short", String(count))
      await page.click("button:text-is('Start')")
      await page.waitForSelector(`text=… and ${running} more`)
    }
    await startServers("css", 120, "70")
    await startServers("rust", 80, "150")
    await page.click("nav >> text=Browser")
    await page.click("text=Add the emulated servers")
    await page.click("text=Query all")
    await page.waitForSelector("output[data-done='200']")
    expect(await page.textContent(".progress output")).toContain("200 of 200, 0 without a reply")
    await page.fill(".filter input", "de_dust2")
    expect(await page.textContent(".progress output")).toContain("120 shown")
    await page.click("button:text-is('Map')")
    await page.locator(".server").first().dblclick()
    await page.waitForSelector(".info-card")
    await page.click("nav >> text=Emulator")
    await page.click("button:text-is('Stop all')")
    await page.waitForFunction(() => document.querySelectorAll(".running li").length === 0)
    expect(errors).toEqual([])
    await page.context().close()
  }, 60_000)
})

describe("the page", () => {
  it("has a content security policy that blocks inline scripts", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await page.fill("#bytes", HEX)
    await page.waitForSelector("#inspector-bytes")
    const outcome = await page.evaluate(async () => {
      const script = document.createElement("script")
      script.textContent = "document.title = 'evaluated'"
      document.head.append(script)
      await new Promise(requestAnimationFrame)
      return document.title
    })
    expect(outcome).toBe("Sourcewire playground")
    await page.context().close()
  })

  it("drops a delayed update of its address if the user has opened another view in the meantime", async () => {
    const { page } = await stage.open("decode", { withToken: false })
    await page.fill("#bytes", HEX)
    await page.waitForSelector("#inspector-bytes")
    await page.waitForFunction(() => location.hash.length > "#decode".length)
    await page.fill("#bytes", HEX.slice(0, -2))
    // For a moment after a click on a link to a view, the address already names this view, but the page still shows the previous view.
    const address = await page.evaluate(async () => {
      history.pushState(null, "", "#encode")
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return location.hash
    })
    expect(address).toBe("#encode")
    await page.context().close()
  })
})
