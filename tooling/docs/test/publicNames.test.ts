/** Tests the check that reports a name if a public declaration uses the name, but no package exports the name. */
import { expect, it } from "vitest"
import { missingNames } from "../src/publicNames.ts"
import { parseModules } from "../src/surface.ts"

const findProblems = (text: string): ReadonlyArray<string> =>
  missingNames(
    parseModules([
      ["a/src/index.ts", `export { f, C, type Public } from "./one.ts"\nexport * as Name from "./two.ts"`],
      ["a/src/one.ts", text],
      ["a/src/two.ts", "export const inside = 1"]
    ]),
    ["a/src/index"]
  )

const PUBLIC = `import type { Other } from "elsewhere"
export interface Public { readonly other: Other }
type Hidden = 1
const HIDDEN = 2`

it("a name in a link or a type is reported if no package exports the name", () => {
  const text = `${PUBLIC}
  /** See {@link HIDDEN}. */
  export const f = (hidden: Hidden): void => {}
  export class C {
    /** As {@link C}, {@link C.member}, {@link Name}, {@link inside | that} or {@link Hidden}. */
    readonly member: ReadonlyArray<Hidden> = []
  }`
  expect(findProblems(text)).toEqual([
    "a/src/one.ts: C mentions Hidden (type), which no package exports",
    "a/src/one.ts: C mentions Hidden ({@link}), which no package exports",
    "a/src/one.ts: f mentions HIDDEN ({@link}), which no package exports",
    "a/src/one.ts: f mentions Hidden (type), which no package exports"
  ])
})

it("code that users do not see is not checked", () => {
  const text = `${PUBLIC}
  /** Calls {@link Public}. */
  export const f = (given: Public): void => { const own: Hidden = 1 }
  export class C {
    private readonly one: Hidden = 1
    #two: Hidden = 1
    /** {@link HIDDEN} @internal */
    readonly three: Hidden = 1
    method(): void { const own: Hidden = 1 }
  }`
  expect(findProblems(text)).toEqual([])
})
