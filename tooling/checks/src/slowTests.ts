/**
 * Test files with slow tests, each with the reason. A test is slow if it takes longer than 5 s on an idle machine with two cores. If a file
 * is not in this list, `all.ts` prints the slow tests of the file. The list must contain every file named `*.long.test.ts`, and a test of
 * this package checks this rule.
 */
export const slowTests: Readonly<Record<string, string>> = {
  "apps/cli/test/monitor/console.test.ts":
    "Waits several intervals, to check that a monitor does not send a wrong password twice.",
  "apps/cli/test/monitor/crash.long.test.ts": "Kills a monitor at many moments and starts it again.",
  "apps/cli/test/monitor/dashboard.long.test.ts": "Starts a real browser.",
  "apps/cli/test/monitor/dashboard/console.long.test.ts": "Starts a real browser.",
  "apps/cli/test/monitor/dashboard/findings.long.test.ts": "Starts a real browser.",
  "apps/cli/test/monitor/dashboard/views.long.test.ts":
    "Starts a real browser, and stores 100,000 servers and a history of 8 days.",
  "apps/cli/test/monitor/fleet.long.test.ts": "Waits until locks of stopped processes expire in a real Postgres.",
  "apps/cli/test/monitor/kubernetes.long.test.ts":
    "Starts a real Postgres, and a monitor with the command of the Kubernetes manifest.",
  "apps/cli/test/monitor/locationRunners.long.test.ts":
    "Waits until locks of stopped processes expire in a real Postgres.",
  "apps/cli/test/monitor/locations.long.test.ts":
    "Several instances query servers in real time. The instances share a real Postgres.",
  "apps/cli/test/monitor/migrate.long.test.ts": "Starts a real Postgres and two monitors.",
  "apps/cli/test/monitor/monitor.test.ts": "Waits until wrong query ports of a game have timed out.",
  "apps/cli/test/monitor/prometheus.long.test.ts": "Waits until a real Prometheus has scraped the monitor.",
  "apps/cli/test/monitor/sources.long.test.ts":
    "Several instances download lists in real time. The instances share a real Postgres.",
  "apps/cli/test/monitor/storeLock.long.test.ts":
    "Starts several monitors that compete for the lock in a real Postgres.",
  "apps/cli/test/monitor/upgrade.long.test.ts":
    "Builds an older version of the program, starts a fleet of this version, and upgrades the instances one after the other.",
  "apps/cli/test/monitor/deploy.test.ts": "Waits until a monitor reports a stopped server to Discord.",
  "apps/cli/test/proxy.test.ts":
    "Changes the configuration file of a proxy six times. The proxy checks this file only once a second.",
  "apps/cli/test/verdict.long.test.ts": "Queries servers twice, with a pause of a minute.",
  "apps/cli/test/scan.test.ts": "Kills a scan halfway, and resumes the scan from its checkpoint.",
  "apps/cli/test/scanOutage.long.test.ts": "Scans through a network interface that is down for several seconds.",
  "apps/playground/test/browser/accessible.long.test.ts":
    "Starts a real browser, and checks every view in two sizes and two themes.",
  "apps/playground/test/browser/bytes.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/captures.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/editing.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/firstVisit.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/inPage.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/input.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/otherOrigin.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/page.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/querying.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/serveProfile.long.test.ts": "Starts a real browser.",
  "apps/playground/test/browser/tasks.long.test.ts": "Starts a real browser.",
  "apps/site/test/site.long.test.ts": "Builds the website and opens it in a real browser.",
  "packages/monitor/test/copy.long.test.ts": "Starts a real Postgres.",
  "packages/monitor/test/day.long.test.ts": "Simulates 30 hours of a monitor with a real SQLite file.",
  "packages/monitor/test/fleetSimulation.long.test.ts": "Simulates several hours of a fleet, with every kind of fault.",
  "packages/monitor/test/metrics.long.test.ts": "Scrapes the metrics of 40,000 servers.",
  "packages/monitor/test/outage.long.test.ts": "Waits during an outage of the database, and while a disk is full.",
  "packages/monitor/test/postgres.long.test.ts": "Starts a real Postgres.",
  "packages/monitor/test/postgresTls.long.test.ts": "Starts a real Postgres.",
  "packages/monitor/test/runtimes.long.test.ts": "Runs the tests of the store on three runtimes.",
  "packages/server/test/query/Bzip2.long.test.ts": "Compresses data that is longer than one block of 900 kB.",
  "packages/transport-node/test/rconCuts.long.test.ts": "Splits RCON streams at many positions.",
  "packages/transport-node/test/rconFloods.long.test.ts": "Waits until the time limits of commands have expired.",
  "packages/emulator/test/faultMatrix.long.test.ts": "Simulates every combination of network faults.",
  "packages/transport-node/test/soak.long.test.ts":
    "Runs a process under load for half a minute, to check that its memory does not grow.",
  "apps/cli/test/monitor/schedule.long.test.ts":
    "Monitors servers for more than a minute in real time. The servers change and stop on a schedule.",
  "tooling/conformance/test/batched.long.test.ts": "Starts several runtimes.",
  "tooling/conformance/test/conformance.long.test.ts": "Runs the whole conformance suite on every runtime.",
  "tooling/conformance/test/denoTest.long.test.ts": "Runs the whole conformance suite with Deno's test runner.",
  "tooling/conformance/test/flood.long.test.ts":
    "On every runtime, floods a client for longer than the timeout of a query.",
  "tooling/conformance/test/ftl.long.test.ts":
    "Calls methods until FTL, the last compiler of Bun's JavaScript engine, would compile them.",
  "tooling/conformance/test/linkLocal.long.test.ts": "Starts every runtime in network namespaces.",
  "tooling/conformance/test/manyCalls.long.test.ts": "On every runtime, makes 10,000 simultaneous calls.",
  "tooling/conformance/test/sameEverywhere.long.test.ts": "Starts every runtime.",
  "tooling/docs/test/blocks.long.test.ts": "Compiles and runs every code block of the documentation.",
  "tooling/interop/test/interop.long.test.ts": "Starts game servers and clients that other authors wrote.",
  "tooling/packaging/test/installs.long.test.ts": "Installs the packages with npm, pnpm, Bun and Deno.",
  "tooling/packaging/test/projects.long.test.ts":
    "Installs the packed packages into a project of each kind, and builds the project."
}
