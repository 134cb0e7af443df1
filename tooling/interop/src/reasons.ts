/** The known reasons for differences between other programs and our client. */
import type { Reasons } from "./report.ts"

export const reasons: Reasons = [
  [/^(source|steam)-server-query, .*(1\.6|CS 1\.6).*: INFO$/, "decodes the older dialect of INFO as the current one"],
  [/^(source|steam)-server-query, .*: RULES$/, "does not join fragments of a split reply"],
  [/^@fabricio-191.*compressed.*: RULES$/, "does not decompress replies"],
  [/^@fabricio-191.*: RULES$/, "changes values that are empty, or that look like numbers or booleans"],
  [
    /^@fabricio-191.*master server: list$/,
    "drops the last address of a page, because it expects this address at the beginning of the next page"
  ],
  [/^quakestat, .*compressed/, "does not decompress replies, and drops characters beyond ASCII"],
  [/^quakestat, .*: PLAYER$/, "drops characters beyond ASCII"],
  [
    /^rcon-client, .*: wrong password$/,
    "treats the empty reply, which Valve's servers send first, as the result of the login"
  ]
]
