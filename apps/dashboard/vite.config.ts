/** Builds the page: static files that the monitor serves under a policy that forbids everything but themselves. */
import { defineConfig } from "vite"
import { notices } from "../../tooling/presets/notices.ts"

export default defineConfig({
  base: "./",
  plugins: [notices],
  // `vite` shows the page over a monitor that runs.
  server: { proxy: { "/api": "http://127.0.0.1:9155" } },
  build: {
    target: "es2023",
    // An inlined file would be a data: address, which the policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  }
})
