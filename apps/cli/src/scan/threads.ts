/**
 * The scanner and its threads. The program is one file, so a thread begins with that same file, which knows by the thread it finds
 * itself in that it is not to read a command line.
 *
 * @module
 */
import { Scanner } from "@sourcewire/core"
import { NodeDatagrams } from "@sourcewire/transport-node"
import * as NodeThreads from "@sourcewire/transport-node/threads"
import * as Layer from "effect/Layer"
import { pathToFileURL } from "node:url"

/** What `sourcewire scan` scans with. */
export const scanner: Layer.Layer<Scanner> = Layer.provide(
  Scanner.layer,
  Layer.merge(
    NodeDatagrams.layer,
    NodeThreads.layer(() => pathToFileURL(process.argv[1]!))
  )
)

/** What the program does in such a thread. */
export const serve = (): void => NodeThreads.serve(NodeDatagrams.layer)
