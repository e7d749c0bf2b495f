import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { session } from './session/muster.ts'
import { followHeading } from './shell/title.ts'
import './shell/tokens.css'
import './shell/base.css'
import './shell/shell.css'
import './ui/density.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element “root”.')
followHeading(root)
void session.resume()
// A page that comes back with the button “Back” shows what it was left with: it asks again instead.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
