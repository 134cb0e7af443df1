import { assert, describe, it } from "@effect/vitest"
import {
  banned,
  isBadChallenge,
  isEcho,
  isHltvPrint,
  refusedPassword,
  removeStrayByte
} from "../../src/rcon/goldSourceTexts.ts"

describe("the rejection of a password", () => {
  it.each([
    ["goldsource", "Bad rcon_password.\n", "Bad rcon_password."],
    [
      "goldsource",
      "Bad rcon_password.\nNo password set for this server.\n",
      "Bad rcon_password. No password set for this server."
    ],
    ["goldsource", "Bad rcon_password.", "Bad rcon_password."],
    [
      "goldsource",
      "Bad rcon_password.No password set for this server.",
      "Bad rcon_password.No password set for this server."
    ],
    ["quake", "Bad rcon_password.\n", "Bad rcon_password."],
    ["quake", "^1Error: ^7Bad rcon_password", "^1Error: ^7Bad rcon_password"],
    ["quake", "Bad rconpassword.\n", "Bad rconpassword."],
    ["quake", "No rconpassword set.\n", "No rconpassword set."],
    ["quake", "^3No rcon_password set \n", "^3No rcon_password set"]
  ] as const)("is recognized in the dialect %s: %j", (dialect, text, rejection) => {
    assert.deepInclude(refusedPassword(text, dialect), {
      _tag: "AuthenticationFailed",
      message: `The server refused the RCON password: ${rejection}`,
      text: rejection
    })
  })

  it.each([
    ["goldsource", "Bad rcon_password"],
    ["goldsource", "He said: Bad rcon_password.\n"],
    ["goldsource", "Bad rcon_password. Or not.\n"],
    ["goldsource", "No rcon_password set.\n"],
    ["quake", "He said: Bad rcon_password.\n"],
    ["quake", "Bad rcon_password, no: good.\n"]
  ] as const)(
    "is not recognized in the dialect %s if the text only resembles a rejection of this dialect: %j",
    (dialect, text) => {
      assert.isUndefined(refusedPassword(text, dialect))
    }
  )
})

describe("other rejections", () => {
  it("the rejection of a challenge is recognized, but a longer text that contains the rejection is not", () => {
    const refusals = ["No challenge for your address.\n", "Bad challenge.\n", "Bad challenge", "Bad challenge. \n"]
    assert.isTrue(refusals.every(isBadChallenge))
    assert.isFalse(["A Bad challenge.\n", "Bad challenge.\nand more", "Bad challenges"].some(isBadChallenge))
  })

  it("the message about a ban is recognized, but a longer text that contains the message is not", () => {
    assert.strictEqual(
      banned("You have been banned from this server.\n")?.text,
      "You have been banned from this server."
    )
    assert.isDefined(banned("You have been banned from this server."))
    const others = ["Oh! You have been banned from this server.\n", "You have been banned from this server. Or not."]
    for (const text of others) assert.isUndefined(banned(text))
  })
})

describe("replies with a special meaning", () => {
  it("the reply to Sourcewire's echo command is recognized, even with spaces before or after the word `sourcewire`", () => {
    assert.isTrue(["sourcewire", "sourcewire \n", " sourcewire"].every(isEcho))
    assert.isFalse(["", "sourcewire!", "echo sourcewire"].some(isEcho))
  })

  it("a reply of HLTV is recognized by the number of NULs after its text, and a stray byte before the text is removed", () => {
    const datagram = (bytes: number) => new Uint8Array(bytes)
    assert.isFalse(isHltvPrint(datagram(5 + 7 + 2), 7))
    assert.isTrue([5 + 7, 5 + 7 + 1, 1400].every((bytes) => isHltvPrint(datagram(bytes), 7)))
    assert.strictEqual(removeStrayByte("\xfftext\xff"), "text\xff")
    assert.strictEqual(removeStrayByte("text\xff"), "text\xff")
  })
})
