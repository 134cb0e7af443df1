/** Measures the size that each use of a package adds to a bundle. CI runs it, and a size above its budget fails. */
import { measureSizes } from "../../packaging/src/sizes.ts"
import { bench } from "../Bench.ts"

export default bench({
  title: "Bundle sizes",
  about: "What using one thing adds to a bundle.",
  options: {},
  parts: () => ({
    sizes: {
      title: "Bundle sizes",
      about:
        "The packed packages in an empty project, with the parts of Effect that they need: everything that is loaded before a function is called. Bundled by esbuild and by rollup.",
      measure: measureSizes
    }
  })
})
