import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { session, useSession } from './session/muster.ts'
import { Insecure, Top, Unreachable } from './shell/alone.tsx'
import { SignInScreen } from './sign-in/sign-in-screen.tsx'
import { Skeleton } from './ui/answer.tsx'
import './shell/tokens.css'
import './shell/base.css'
import './ui/ui.css'
import './shell/shell.css'
import './ui/density.ts'

/** Loaded for a browser with a session: what a sign-in needs comes first. */
const SignedIn = lazy(async () => ({ default: (await import('./signed-in.tsx')).SignedIn }))

/** The screens for a browser with a session; the sign-in without one. */
function App() {
  const state = useSession()
  if (state.status === 'opening') return <Opening />
  if (state.status === 'insecure') return <Insecure />
  if (state.status === 'unreachable') return <Unreachable onRetry={() => void session.resume()} />
  if (state.status === 'closed') return <SignInScreen state={state} />
  return (
    <Suspense fallback={<Opening />}>
      <SignedIn />
    </Suspense>
  )
}

/** Until it is known what the page shows. */
function Opening() {
  return (
    <div className="shell">
      <Top />
      <main>
        <Skeleton />
      </main>
    </div>
  )
}

/** The title of the page, which tabs and screen readers name it by, follows the heading of the screen. */
function followHeading(root: Element): void {
  new MutationObserver(() => {
    const heading = root.querySelector('h1')?.textContent ?? ''
    const title = heading === '' || heading.includes('Muster') ? heading || 'Muster' : `${heading} · Muster`
    if (document.title !== title) document.title = title
  }).observe(root, { childList: true, subtree: true, characterData: true })
}

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
