/** The flags of `sourcewire ping`. */
import * as options from "../options.ts"

export const flags = {
  ...options.query,
  retries: options.count(0, "Retries before a ping counts as lost", { least: 0 }),
  count: options.count(4, "Pings per server; 0: until stopped", { least: 0, alias: "c" }),
  interval: options.milliseconds(1000, "Interval between pings", { least: 0 }),
  via: options.oneOf<"auto" | "ping" | "info">(
    ["auto", "ping", "info"],
    "auto",
    "Request to send: A2A_PING, which newer servers ignore, or A2S_INFO; auto: the one to which the server replies"
  )
}

export type PingSettings = options.Settings<typeof flags>
