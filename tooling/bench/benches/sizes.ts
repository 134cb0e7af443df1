/**
 * Measures how much each use of a package adds to the size of a bundle. CI runs this benchmark. If a size exceeds its budget, the benchmark
 * fails.
 */
import { measureSizes } from "../../packaging/src/sizes.ts"
import { bench } from "../Bench.ts"

export default bench({
  title: "Bundle sizes",
  about: "The size that the use of one function adds to a bundle.",
  options: {},
  parts: () => ({
    sizes: {
      title: "Bundle sizes",
      about:
        "The packed packages are installed in an empty project, and bundled by esbuild and by rolldown. The sizes include the necessary parts of Effect. Modules that a function loads only when it is called are not included.",
      measure: measureSizes
    }
  })
})
