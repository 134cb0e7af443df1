/**
 * Instruments our sources while they are loaded. The added code counts the runs of each block, and subtracts one step from the budget for
 * each loop iteration and for each call. The types are removed without moving other code, and the instrumentation adds no lines. Therefore
 * line numbers stay the same.
 */
import { readFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { fileURLToPath } from "node:url"
import { parseSync, Visitor } from "oxc-parser"
import { type Part, wrapped } from "../../../presets/wrapped.ts"
import type { Counters } from "./Counters.ts"

/** Name of the global variable with the counters. */
const GLOBAL = "__sourcewireFuzz"

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Instruments `source`, which must be plain JavaScript. Each call of `newBlock` returns the number of a new block. */
export const instrument = (source: string, newBlock: () => number): string => {
  const parts: Array<Part> = []
  const count = () => `$c[${newBlock()}]++`
  const step = () => `${count()};if(--$s[0]<0)$h();`

  const insert = (at: number, text: string): void => void parts.push({ start: at, end: at, before: text, behind: "" })
  const statement = ({ end, start, type }: Node, mark: string): void => {
    if (type === "BlockStatement") insert(start + 1, mark)
    else parts.push({ start, end, before: `{${mark}`, behind: "}" })
  }
  const expression = ({ end, start }: Node, mark: string): void =>
    void parts.push({ start, end, before: `(${mark},`, behind: ")" })
  const body = (node: { readonly body: Node | null }): void => {
    if (node.body?.type === "BlockStatement") statement(node.body, step())
    else if (node.body !== null) expression(node.body, `${count()},--$s[0]<0&&$h()`)
  }
  const loop = (node: { readonly body: Node }): void => statement(node.body, step())
  new Visitor({
    FunctionDeclaration: body,
    FunctionExpression: body,
    ArrowFunctionExpression: body,
    IfStatement: ({ alternate, consequent }) => {
      statement(consequent, `${count()};`)
      if (alternate !== null) statement(alternate, `${count()};`)
    },
    ForStatement: loop,
    ForInStatement: loop,
    ForOfStatement: loop,
    WhileStatement: loop,
    DoWhileStatement: loop,
    SwitchCase: ({ consequent: [first] }) => {
      if (first !== undefined) insert(first.start, `${count()};`)
    },
    ConditionalExpression: ({ alternate, consequent }) => {
      expression(consequent, count())
      expression(alternate, count())
    },
    LogicalExpression: ({ right }) => expression(right, count()),
    CatchClause: ({ body }) => statement(body, `${count()};`)
  }).visit(parseSync("module.js", source).program)
  return `const{blocks:$c,steps:$s,hang:$h}=globalThis.${GLOBAL};${wrapped(source, parts)}`
}

/** After this call, each module that Node loads is instrumented if the path of the module from the root matches the pattern `which`. */
export const instrumentOnLoad = (root: URL, which: RegExp, counters: Counters): void => {
  Object.assign(globalThis, { [GLOBAL]: counters })
  registerHooks({
    load: (url, context, next) => {
      const path = url.startsWith(root.href) ? url.slice(root.href.length) : ""
      if (!which.test(path)) return next(url, context)
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"))
      return { format: "module", source: instrument(source, counters.blockOf(path)), shortCircuit: true }
    }
  })
}
