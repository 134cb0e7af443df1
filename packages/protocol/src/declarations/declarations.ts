/** All messages, in the order of the documentation. */
import { MessageType } from "../Wire.ts"
import { challenge } from "./challenge.ts"
import type { Declaration, Declarations } from "./Declaration.ts"
import { handshake } from "./handshake.ts"
import { info } from "./info.ts"
import { log } from "./log.ts"
import { master } from "./master.ts"
import { ping } from "./ping.ts"
import { players } from "./players.ts"
import { print } from "./print.ts"
import { rcon } from "./rcon.ts"
import { rules } from "./rules.ts"
import { unknown } from "./unknown.ts"

/** The messages of each module. */
export const modules: Readonly<Record<string, Declarations>> = {
  info,
  players,
  rules,
  challenge,
  ping,
  print,
  rcon,
  log,
  master,
  handshake,
  unknown
}

const findType = (valve: string): number | undefined =>
  (MessageType as Readonly<Record<string, number>>)[valve.split(" ", 1)[0]!]

/** Every declaration. */
export const declarations: ReadonlyArray<Declaration> = /* @__PURE__ */ (() =>
  Object.values(modules).flatMap((messages) =>
    Object.entries(messages).map(([tag, declared]) => ({ tag, type: findType(declared.valve), ...declared }))
  ))()

/** The declaration of the message with this `_tag`; `undefined` for an unknown tag. */
export const findDeclaration = (tag: string): Declaration | undefined =>
  declarations.find((declaration) => declaration.tag === tag)
