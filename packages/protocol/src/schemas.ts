/**
 * Schemas of messages, for programs that validate, store or send messages with Effect Schema. The schemas are not part of the main entry,
 * because `effect/Schema` is larger than all decoders together.
 *
 * @example
 * import { PingReply } from "@sourcewire/protocol"
 * import { fromDatagram, toSchema } from "@sourcewire/protocol/schemas"
 * import * as Schema from "effect/Schema"
 * const datagram = Uint8Array.of(255, 255, 255, 255, 0x6a, 0)
 * console.log(Schema.decodeSync(fromDatagram(PingReply))(datagram), Schema.is(toSchema(PingReply))({}))
 *
 * @module
 */
export { fromDatagram, toSchema } from "./internal/schemas.ts"
