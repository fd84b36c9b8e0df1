import { RegistryProvider } from "@effect-atom/atom-react"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app/App.tsx"
import "./design/tokens.css"
import "./design/base.css"
import "./design/controls.css"
import "./design/layout.css"
import "./design/views.css"

const root = document.getElementById("page")
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <RegistryProvider>
        <App />
      </RegistryProvider>
    </StrictMode>
  )
}
