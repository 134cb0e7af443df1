/**
 * The file that a thread of a scan begins with: scans over this package's UDP as it is told. Not to be imported.
 *
 * @module
 */
import { serve } from "./NodeThreads.ts"
import * as NodeDatagrams from "./NodeDatagrams.ts"

serve(NodeDatagrams.layer)
