/**
 * Measures how much each use of a package adds to the size of a bundle. CI runs this benchmark, which fails if a size exceeds its budget.
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
        "The packed packages are installed in an empty project, and bundled by esbuild and by rolldown. The sizes include the necessary parts of Effect, and everything that is loaded before a function is called.",
      measure: measureSizes
    }
  })
})
