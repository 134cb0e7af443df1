/** Finds cycles in a graph of imports. */

/** The imports of each module. An imported module that is not a key of this map is ignored. */
export type ImportGraph = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * Starts at each module and follows its imports. If an import leads back to a module that is already on the followed path, the result
 * contains this cycle. The result is empty if and only if the graph has no cycle.
 */
export const findCycles = (graph: ImportGraph): ReadonlyArray<ReadonlyArray<string>> => {
  const cycles: Array<ReadonlyArray<string>> = []
  const path: Array<string> = []
  const visited = new Set<string>()
  const visit = (module: string): void => {
    const start = path.indexOf(module)
    if (start !== -1) cycles.push(path.slice(start))
    if (visited.has(module) || !graph.has(module)) return
    visited.add(module)
    path.push(module)
    for (const imported of new Set(graph.get(module))) visit(imported)
    path.pop()
  }
  for (const module of graph.keys()) visit(module)
  return cycles
}
