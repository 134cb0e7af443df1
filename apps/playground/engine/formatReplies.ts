/** Formats the file that `sourcewire serve --replies` reads. Does not import the schema, which the page does not load. */
import type { GivenReply } from "./GivenReply.ts"

export const formatReplies = (replies: ReadonlyArray<GivenReply>): string =>
  `${JSON.stringify({ replies }, undefined, 2)}\n`
