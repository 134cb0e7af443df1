/** Known reasons for differences between other programs and our client. */
import type { Reasons } from "./report.ts"

export const reasons: Reasons = [
  [/^(source|steam)-server-query, .*(1\.6|CS 1\.6).*: INFO$/, "reads the older dialect of INFO as if it were today's"],
  [/^(source|steam)-server-query, .*: RULES$/, "does not join fragments of a split reply"],
  [/^@fabricio-191.*compressed.*: RULES$/, "does not inflate compressed replies"],
  [/^@fabricio-191.*: RULES$/, "turns values that are empty, or look like numbers or switches, into other values"],
  [
    /^@fabricio-191.*master server: list$/,
    "drops the last address of a page, since it expects the next page to begin with it"
  ],
  [/^quakestat, .*compressed/, "does not inflate compressed replies, and drops characters beyond ASCII"],
  [/^quakestat, .*: PLAYER$/, "drops characters beyond ASCII"],
  [
    /^rcon-client, .*: wrong password$/,
    "takes the empty reply that Valve's servers send before the verdict for the verdict"
  ]
]
