/** Who is to be asked at once, whichever runner asks him. */
import type { Words } from "./index.ts"

export const wanted = ({ fleeting }: Words): ReadonlyArray<string> => [
  // When somebody last looked at a target whose turn was long ago.
  `create ${fleeting}table wanted (
    target integer primary key,
    at bigint not null
  )`
]
