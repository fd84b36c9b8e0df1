import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: {
    // The page speaks lines of JSON; the binary codec that `RpcSerialization` also knows would come along for nothing.
    alias: { msgpackr: fileURLToPath(new URL("src/host/NoMsgPack.ts", import.meta.url)) }
  },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    target: "es2022",
    // The policy of the Host allows files of its own only, no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000
  },
  server: {
    proxy: { "/rpc": { target: process.env.HOST_SCHEDULE_URL ?? "http://127.0.0.1:4318", ws: true } }
  }
})
