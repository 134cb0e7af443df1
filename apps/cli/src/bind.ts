/**
 * Parses the address on which a command listens. The address is numeric or `localhost`, with or without a port. A host name other than
 * `localhost` is an error.
 */
import { canonicalAddress } from "@sourcewire/core/address"
import * as Result from "effect/Result"
import { UsageError } from "./exitCode.ts"

export interface Bind {
  readonly host: string
  readonly port: number
}

/**
 * Returns the numeric address in canonical form. For `localhost`, this is 127.0.0.1. Returns `undefined` if the text is neither an address
 * nor `localhost`.
 */
const parseHost = (text: string): string | undefined =>
  text === "localhost" ? "127.0.0.1" : canonicalAddress(text.replace(/^\[(.*)\]$/, "$1"))

/**
 * Parses `HOST` or `HOST:PORT`. An IPv6 address with a port needs brackets. Error messages contain `flag`, the name of the command-line
 * flag.
 */
export const parseBind = (text: string, defaultPort: number, flag = "--bind"): Result.Result<Bind, UsageError> => {
  const alone = parseHost(text.trim())
  if (alone !== undefined) return Result.succeed({ host: alone, port: defaultPort })
  const [, name = "", digits = ""] = /^(.*):(\d{1,5})$/.exec(text.trim()) ?? []
  const [host, port] = [parseHost(name), Number(digits)]
  return host === undefined || port > 65_535
    ? Result.fail(
        new UsageError(
          `${flag} "${text}" is not a numeric address. Write it with or without a port, such as 127.0.0.1:${Math.max(0, defaultPort)}.`
        )
      )
    : Result.succeed({ host, port })
}

/**
 * Parses the flag `--bind` of a command that also has the flag `--port`. The user can set the port with `--bind`, with `--port` or with
 * both flags. If the two flags name different ports, the result is an error.
 */
export const parseBindAndPort = (
  bind: string,
  port: number | undefined,
  defaultPort: number
): Result.Result<Bind, UsageError> => {
  const NONE = -1
  return Result.flatMap(parseBind(bind, port ?? NONE), (where) => {
    if (port !== undefined && where.port !== port) {
      return Result.fail(new UsageError(`--bind ${bind} and --port ${port} name different ports. Give the port once.`))
    }
    return Result.succeed({ ...where, port: where.port === NONE ? defaultPort : where.port })
  })
}

export const isLoopback = (host: string): boolean => host === "::1" || host.startsWith("127.")
