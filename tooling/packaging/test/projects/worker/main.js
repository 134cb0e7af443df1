import { decode } from "@sourcewire/protocol"
import * as Result from "effect/Result"

/** Replies to a posted datagram with the decoded message as JSON. */
export default {
  async fetch(request) {
    const message = decode(new Uint8Array(await request.arrayBuffer()))
    return Result.isSuccess(message)
      ? Response.json(message.success)
      : Response.json({ problem: message.failure.message }, { status: 400 })
  }
}
