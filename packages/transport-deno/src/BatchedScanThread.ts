/**
 * The file that a thread of a batched scan begins with: scans over this package's batched UDP as it is told. Not to be imported.
 *
 * @module
 */
import { serve } from "@sourcewire/transport-node/threads"
import * as Batched from "./Batched.ts"

serve(Batched.layer)
