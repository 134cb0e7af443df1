import { fromHex } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/wire"
import { anatomise, findSeverity } from "@sourcewire/ui/analysis"
import { expect, it } from "vitest"
import { explain } from "../../src/explain/explain.ts"
import { bySeverity, findDatagramRow, findSpans, tally } from "../../src/explain/explanation.ts"

// A recorded INFO reply of Xash3D with five bots, and a RULES reply in two fragments.
const bots = fromHex(
  "ffffffff4931586173682070726f6265207365727665720070726f62655f726f6f6d0076616c76650048616c662d4c696665000000051005646c0000302e323100"
)!
const rules = new Uint8Array([...fromHex("ffffffff450900")!, ...new TextEncoder().encode("sv_cheats\0off\0".repeat(8))])
const [first, second] = splitDatagram(rules, { layout: "source", id: 1, maxBytes: 80 })

const server = { from: "192.0.2.1:27015", to: "192.0.2.9:1" }
const datagrams = [bots, first!, second!, fromHex("ffffffff4a00")!].map((bytes) => ({ bytes, ...server }))
const { diagnoses, rows } = explain({ datagrams, encoding: "auto" })

it("each row has the severity of its findings, and the findings of a split reply are on the row of the joined reply", () => {
  expect(rows.map((row) => [row.kind, findSeverity(row)])).toEqual([
    ["message", "warning"],
    ["fragment", undefined],
    ["fragment", undefined],
    ["joined", "warning"],
    ["message", "warning"]
  ])
  expect([0, 1, 2, 3, 4].map((datagram) => findDatagramRow(rows, datagram))).toEqual([0, 3, 3, 4, -1])
})

it("findSpans returns the section, the start and the end of each range of bytes to which a finding refers", () => {
  const finding = diagnoses[0]!.findings.find(({ kind }) => kind === "list-truncated")!
  const anatomy = anatomise(rows[3]!, datagrams)
  expect(findSpans(finding, anatomy, datagrams)).toEqual([
    { section: 0, start: 17, end: 19 },
    { section: 1, start: 63, end: 63 }
  ])
})

it("the tally shows the numbers of errors and warnings even if both are 0", () => {
  expect(tally([])).toBe("0 errors, 0 warnings")
  expect(tally(diagnoses[0]!.findings)).toBe("0 errors, 3 warnings, 1 note")
})

it("the list of conversations begins with the conversation that contains an error", () => {
  const { diagnoses } = explain({
    datagrams: [...datagrams, { bytes: fromHex("ffffffff55ffffffff")!, from: "192.0.2.9:1", to: "192.0.2.2:27015" }],
    encoding: "auto"
  })
  expect(bySeverity(diagnoses).map((one) => one.server)).toEqual(["192.0.2.2:27015", "192.0.2.1:27015"])
})
