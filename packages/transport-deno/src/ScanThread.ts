/**
 * The file that a thread of a scan begins with: scans over this package's UDP as it is told. Not to be imported.
 *
 * @module
 */
import { serve } from "@sourcewire/transport-node/threads"
import * as DenoDatagrams from "./DenoDatagrams.ts"

serve(DenoDatagrams.layer)
