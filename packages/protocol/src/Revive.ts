/**
 * Messages that have been through a structured clone, as between threads. It keeps all fields, but loses what lets `JSON.stringify`
 * write 64-bit numbers.
 *
 * @example
 * import { InfoReply, revive } from "@sourcewire/protocol"
 * import * as Result from "effect/Result"
 * const reply = InfoReply.decode(Uint8Array.of(255, 255, 255, 255, 0x49, 17, 0, 0, 0, 0, 10, 0, 1, 8, 0, 100, 108, 0, 1, 0))
 * if (Result.isSuccess(reply)) console.log(JSON.stringify(revive(structuredClone(reply.success))))
 *
 * @module
 */
import { JsonSafe } from "./internal/jsonSafe.ts"
import type { Message } from "./Message.ts"

/** The message as its decoder gave it: a copy where it may have 64-bit numbers, else the same object. */
export const revive = <M extends Message>(message: M): M =>
  message._tag === "InfoReply" ? (Object.assign(new JsonSafe(), message) as unknown as M) : message
