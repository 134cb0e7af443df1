/**
 * Additions to the function `scan`: results in batches, sources of targets, and result types.
 *
 * @module
 */
export type { HostLimits, Limited } from "./scan/hostLimits.ts"
export type { ScanFigures } from "./scan/ScanProgress.ts"
export { scanBatches, type ScanError, type ScanTargets } from "./scan/Scanner.ts"
export type { PlainTargets } from "./scan/ScanOptions.ts"
export { type Answered, Excluded, type Failed, type ScanParts, TargetsFailed } from "./scan/ScanResult.ts"
export { nextIfAvailable, type Steps } from "./scan/targetSource.ts"
