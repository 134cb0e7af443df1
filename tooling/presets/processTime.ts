/**
 * Measures times in the program without `performance.now`. The first use of `performance` would take a millisecond, because Node would load
 * the whole module `perf_hooks`.
 */
const monotonicMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

const startedMs = /* @__PURE__ */ monotonicMs() - /* @__PURE__ */ process.uptime() * 1e3

/** Returns the milliseconds since the process started, including fractions of a millisecond. */
export const processTime = (): number => monotonicMs() - startedMs
