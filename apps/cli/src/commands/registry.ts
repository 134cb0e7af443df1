/**
 * Every command of the program, in the order in which help lists them. A command is one file beside this one that declares its name,
 * flags, help and examples, and loads what does the work when it runs.
 *
 * @module
 */
import { decode } from "./decode.ts"
import { demo } from "./demo.ts"
import { handshake } from "./handshake.ts"
import { info } from "./info.ts"
import { log } from "./log.ts"
import { master } from "./master.ts"
import { ping } from "./ping.ts"
import { playground } from "./playground.ts"
import { players } from "./players.ts"
import { proxy } from "./proxy.ts"
import { query } from "./query.ts"
import { rcon } from "./rcon.ts"
import { rules } from "./rules.ts"
import { scan } from "./scan.ts"
import { serve } from "./serve.ts"

/** The commands. */
export const commands = [
  query,
  info,
  players,
  rules,
  scan,
  ping,
  handshake,
  rcon,
  master,
  log,
  decode,
  serve,
  proxy,
  playground,
  demo
] as const
