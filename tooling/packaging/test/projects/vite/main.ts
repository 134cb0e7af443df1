import { decode } from "@sourcewire/protocol"
import * as Result from "effect/Result"

const hex = "ffffffff6a00"
const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const message = decode(bytes)
document.querySelector("output")!.textContent = Result.isSuccess(message) ? message.success._tag : "failed"
