/**
 * `sourcewire master`: asks a master server which servers there are.
 *
 * @module
 */
import { Master } from "@sourcewire/core"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as options from "../options.ts"

/** The command. */
export const master = Command.make(
  "master",
  {
    json: options.query.json,
    timeout: options.query.timeout,
    retries: options.query.retries,
    trace: options.query.trace,
    server: Flag.String("server").pipe(
      Flag.withMetavar("HOST:PORT"),
      Flag.optional,
      Flag.withDescription("The master server; there is no default, since Valve's own no longer answers")
    ),
    region: Flag.Literals("region", Object.keys(Master.REGIONS) as ReadonlyArray<Master.Region>).pipe(
      Flag.withDefault<Master.Region>("world"),
      Flag.withDescription("Part of the world that servers claim to be in")
    ),
    game: Flag.String("game").pipe(
      Flag.withMetavar("FOLDER"),
      Flag.optional,
      Flag.withDescription("Servers of this game alone, as in cstrike")
    ),
    map: Flag.String("map").pipe(Flag.optional, Flag.withDescription("Servers running this map alone")),
    filter: Flag.String("filter").pipe(
      Flag.withMetavar("KEY=VALUE"),
      Flag.atLeast(0),
      Flag.withDescription(
        "A condition such as secure=1, or several as the protocol has them: \\secure\\1; may be given again"
      )
    ),
    max: options.count("max", {
      least: 1,
      otherwise: Master.DEFAULT_MAX_SERVERS,
      description: "Stop after so many servers"
    }),
    interval: options.count("interval", {
      least: 0,
      otherwise: Master.DEFAULT_PAGE_INTERVAL_MS,
      description: "Milliseconds to wait before each further page; masters limit how often one may ask"
    })
  },
  (settings) =>
    Effect.flatMap(
      Effect.promise(() => import("../master/runMaster.ts")),
      ({ runMaster }) => runMaster(settings)
    )
).pipe(
  Command.withDescription("List the servers that a master server knows"),
  Command.withExamples([
    { command: "sourcewire master --server 127.0.0.1:27010 --game valve", description: "One address per line" },
    {
      command: "sourcewire master --server 127.0.0.1:27010 --filter secure=1 | sourcewire info --file -",
      description: "Ask each of them"
    }
  ])
)
