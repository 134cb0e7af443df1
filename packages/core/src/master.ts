/**
 * Filters, default values, and state machines without I/O that request and assemble the pages of a master server's list. The function
 * `master` of the main entry consists of these parts.
 *
 * @module
 */
export {
  DEFAULT_MASTER_PORT,
  DEFAULT_MAX_PAGES,
  DEFAULT_MAX_SERVERS,
  DEFAULT_PAGE_INTERVAL_MS,
  type MasterError,
  NoMaster,
  type Region,
  REGIONS
} from "./master/Master.ts"
export * as MasterFilter from "./master/MasterFilter.ts"
export { InvalidFilter } from "./master/MasterFilter.ts"
export { type EarlierPages, type MasterAnswer, MasterPageExchange } from "./master/MasterPageExchange.ts"
export { type MasterPage, MasterPaging, type PagingEnd, type PagingLimits } from "./master/MasterPaging.ts"
export { pages as masterPages } from "./master/observed.ts"
