/** Where a command listens: a numeric address, since no name is looked up but the one that everybody knows, and a port. */
import { canonicalAddress } from "@sourcewire/core/machines"
import * as Result from "effect/Result"
import { UsageError } from "./exitCode.ts"

/** A numeric address in the spelling that everything else is compared with. */
export const parseHost = (text: string): string | undefined =>
  text === "localhost" ? "127.0.0.1" : canonicalAddress(text.replace(/^\[(.*)\]$/, "$1"))

/** `HOST:PORT`, where the port may be 0. */
export const parseBind = (
  text: string
): Result.Result<{ readonly host: string; readonly port: number }, UsageError> => {
  const [, name = "", digits = ""] = /^(.*):(\d{1,5})$/.exec(text.trim()) ?? []
  const [host, port] = [parseHost(name), Number(digits)]
  return host === undefined || port > 65_535
    ? Result.fail(
        new UsageError(
          `"${text}" is nowhere to listen: it takes a numeric address and a port, such as 127.0.0.1:27015.`
        )
      )
    : Result.succeed({ host, port })
}

export const isLoopback = (host: string): boolean => host === "::1" || host.startsWith("127.")
