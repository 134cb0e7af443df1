/**
 * Monitors game servers. The monitor queries servers at an interval, stores changes and history, and reports the results over HTTP, to
 * Prometheus and to webhooks. The exports are Effect services. To send datagrams, the services require the transport of a runtime.
 *
 * @module
 */
export { runWebhooks } from "./alerts/Webhooks.ts"
export { InvalidConfig, isLocation, MonitorConfig, type Plan, makePlan, mapPaths } from "./config/Config.ts"
export { targetIn } from "./config/target.ts"
export { layer as consolesLayer } from "./consoles/Consoles.ts"
export { storedStatus } from "./fleet/Roster.ts"
export { layer as fleetStatusLayer, FleetStatusService } from "./fleet/FleetStatusService.ts"
export { type Access, WebConfig } from "./http/access.ts"
export * as Api from "./http/Api.ts"
export { layer as webLayer, Web, type WebOptions } from "./http/server.ts"
export { type AddedServers, type NewServers, type TargetList } from "./http/targetList.ts"
export { layer as locationMonitorLayer } from "./locations/LocationMonitor.ts"
export { runSources } from "./sources/Sources.ts"
export { copy, type CopyProgress } from "./store/copy.ts"
export * as store from "./store/index.ts"
export { type StoreUser, findUserAt as storeUser } from "./store/users.ts"
export { Store, StoreFailed, StoreTaken } from "./store/Store.ts"
export { layer } from "./watch/makeMonitor.ts"
export { Monitor, type MonitorEvent, type MonitorOptions } from "./watch/Monitor.ts"
