/**
 * Every command of the program, in the order in which help lists them. A command is a folder: `command.ts` declares its name, flags, help
 * and examples, and loads what does the work when it runs.
 *
 * @module
 */
import { decode } from "./decode/command.ts"
import { demo } from "./demo/command.ts"
import { handshake } from "./handshake/command.ts"
import { log } from "./log/command.ts"
import { master } from "./master/command.ts"
import { ping } from "./ping/command.ts"
import { playground } from "./playground/command.ts"
import { proxy } from "./proxy/command.ts"
import { info, players, query, rules } from "./query/commands.ts"
import { rcon } from "./rcon/command.ts"
import { scan } from "./scan/command.ts"
import { serve } from "./serve/command.ts"

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
