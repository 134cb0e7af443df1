/**
 * Counts and budgets put into our sources as they are loaded: each block counts how often it ran, each loop round and each call costs
 * a step. Node strips the types in place, so what is instrumented is what runs otherwise, and places are those of the source.
 */
import type { AnyNode } from "acorn"
import { parse } from "acorn"
import { readFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { fileURLToPath } from "node:url"
import type { Counters } from "./Counters.ts"

/** Where the instrumented code finds its counters. */
const GLOBAL = "__sourcewireFuzz"

class Insertions {
  readonly #opening = new Map<number, string>()
  readonly #closing = new Map<number, string>()

  /** Text in front of what begins here; of several, the first one added is the outermost. */
  open(at: number, text: string): void {
    this.#opening.set(at, (this.#opening.get(at) ?? "") + text)
  }

  /** Text behind what ends here; of several, the first one added is the innermost. */
  close(at: number, text: string): void {
    this.#closing.set(at, (this.#closing.get(at) ?? "") + text)
  }

  applyTo(source: string): string {
    const places = [...new Set([...this.#opening.keys(), ...this.#closing.keys()])].sort((a, b) => a - b)
    let out = ""
    let from = 0
    for (const at of places) {
      out += source.slice(from, at) + (this.#closing.get(at) ?? "") + (this.#opening.get(at) ?? "")
      from = at
    }
    return out + source.slice(from)
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"

/** `source`, plain JavaScript, with counts. `newBlock` gives each block its number. */
export const instrument = (source: string, newBlock: () => number): string => {
  const insertions = new Insertions()
  const count = () => `$c[${newBlock()}]++`
  const step = () => `${count()};if(--$s[0]<0)$h();`

  const statement = (node: AnyNode, mark: string): void => {
    if (node.type === "BlockStatement") insertions.open(node.start + 1, mark)
    else insertions.open(node.start, `{${mark}`)
    visit(node)
    if (node.type !== "BlockStatement") insertions.close(node.end, "}")
  }
  const expression = (node: AnyNode, mark: string): void => {
    insertions.open(node.start, `(${mark},`)
    visit(node)
    insertions.close(node.end, ")")
  }
  const visitAll = (nodes: ReadonlyArray<AnyNode | null>): void => {
    for (const node of nodes) if (node !== null) visit(node)
  }
  const visit = (node: AnyNode): void => {
    switch (node.type) {
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        visitAll(node.params)
        if (node.body.type === "BlockStatement") statement(node.body, step())
        else expression(node.body, `${count()},--$s[0]<0&&$h()`)
        return
      case "IfStatement":
        visit(node.test)
        statement(node.consequent, `${count()};`)
        if (node.alternate) statement(node.alternate, `${count()};`)
        return
      case "ForStatement":
        visitAll([node.init ?? null, node.test ?? null, node.update ?? null])
        statement(node.body, step())
        return
      case "ForInStatement":
      case "ForOfStatement":
        visitAll([node.left, node.right])
        statement(node.body, step())
        return
      case "WhileStatement":
      case "DoWhileStatement":
        visit(node.test)
        statement(node.body, step())
        return
      case "SwitchCase": {
        if (node.test) visit(node.test)
        const first = node.consequent[0]
        if (first !== undefined) insertions.open(first.start, `${count()};`)
        visitAll(node.consequent)
        return
      }
      case "ConditionalExpression":
        visit(node.test)
        expression(node.consequent, count())
        expression(node.alternate, count())
        return
      case "LogicalExpression":
        visit(node.left)
        expression(node.right, count())
        return
      case "CatchClause":
        statement(node.body, `${count()};`)
        return
      default:
        for (const value of Object.values(node)) {
          if (Array.isArray(value)) visitAll(value.filter(isNode))
          else if (isNode(value)) visit(value)
        }
    }
  }
  visit(parse(source, { ecmaVersion: "latest", sourceType: "module" }))
  return `const{blocks:$c,steps:$s,hang:$h}=globalThis.${GLOBAL};${insertions.applyTo(source)}`
}

/** From now on, modules whose path from the root matches are instrumented as they are loaded. */
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
