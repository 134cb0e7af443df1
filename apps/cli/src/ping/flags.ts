/** The flags of `sourcewire ping`. */
import { Limits } from "@sourcewire/core/engine"
import * as options from "../options.ts"

export const flags = {
  ...options.query,
  timeout: options.milliseconds(Limits.DEFAULT_TIMEOUT_MS, "Time limit for each ping"),
  retries: options.count(0, "Retransmissions before a ping counts as lost", { least: 0 }),
  count: options.count(4, "Pings per server; 0: ping until stopped", { least: 0, alias: "c" }),
  interval: options.milliseconds(1000, "Interval between pings", { least: 0 }),
  via: options.oneOf<"auto" | "ping" | "info">(
    ["auto", "ping", "info"],
    "auto",
    "Request to send; ping: A2A_PING, which newer servers ignore; info: A2S_INFO; auto: the request to which the server replies"
  )
}

export type PingSettings = options.Settings<typeof flags>
