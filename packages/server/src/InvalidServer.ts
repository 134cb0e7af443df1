/** The error of whatever is started with options that make no sense, or that would harm others. */
import { TaggedError } from "@sourcewire/protocol/machines"

/** A server that cannot be as asked for. */
export class InvalidServer
  extends /* @__PURE__ */ TaggedError("InvalidServer")<{
    /** A sentence for people. */
    readonly message: string
    /** Path of the option that is to be changed, as in `limit.perSecond`. */
    readonly option: string
  }> {}
