import { isProblem } from '@muster/client'
import { useUser } from '@muster/react'
import { Link, Navigate, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useBillingUsed } from '../billing/calls.ts'
import { session } from '../session/muster.ts'
import { NoAccount } from '../sign-in/issuers.tsx'
import { OwnPasswordScreen } from '../sign-in/own-password-screen.tsx'
import { chooseLanguage, type Language, languages, useLanguage, useTexts } from '../texts.ts'
import { Skeleton } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { useMay } from '../ui/permitted.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { Top } from './alone.tsx'
import { isDialogOpen, isForPage, shortcuts } from './keys.ts'
import { screens, useOpenScreens } from './screens.ts'
import { shellTexts } from './texts.ts'

/** Loaded when they are first asked for. */
const Palette = lazy(() => import('../palette/palette.tsx').then((module) => ({ default: module.Palette })))
const Help = lazy(() => import('../palette/palette.tsx').then((module) => ({ default: module.Help })))

/** Navigation to the screens that the user may open, and the screen that is open. */
export function Shell() {
  const t = useTexts(shellTexts)
  const main = useRef<HTMLElement>(null)
  const [overlay, setOverlay] = useState<Overlay>()
  const close = () => setOverlay(undefined)
  useGoKeys(setOverlay)
  useFocusOnMove(main)
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t('skip')}
      </button>
      <Top>
        <Navigation />
        <div className="top-end">
          <Button look="text" onClick={() => setOverlay('palette')}>
            {t('palette')} <kbd>Ctrl K</kbd>
          </Button>
          <Button look="text" onClick={() => void session.signOut().catch(() => say(t('signOutRefused')))}>
            {t('signOut')}
          </Button>
        </div>
      </Top>
      <main ref={main} tabIndex={-1}>
        <Content />
      </main>
      <footer className="foot">
        <LanguageChoice />
        <a className="button button-text" href="/docs/guide" target="_blank" rel="noreferrer">
          {t('guide')}
        </a>
        <a className="button button-text" href="/docs" target="_blank" rel="noreferrer">
          {t('reference')}
        </a>
      </footer>
      <Suspense>
        {overlay === 'palette' && <Palette onClose={close} onHelp={() => setOverlay('help')} />}
        {overlay === 'help' && <Help onClose={close} />}
      </Suspense>
    </div>
  )
}

function Navigation() {
  const t = useTexts(shellTexts)
  const isBillingUsed = useBillingUsed()
  const open = useOpenScreens().filter(({ to }) => to !== '/billing' || isBillingUsed)
  return (
    <nav aria-label={t('navigation')}>
      {open.map(({ to, name }) => (
        <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
          {t(name)}
        </Link>
      ))}
    </nav>
  )
}

function Content() {
  const t = useTexts(shellTexts)
  const current = useUser()
  if (current.status === 'failed' && isProblem(current.error, 'password_change_required')) return <OwnPasswordScreen />
  if (current.status === 'failed' && isProblem(current.error, 'account_unknown')) return <NoAccount />
  if (current.status === 'failed')
    return <ProblemNote error={current.error} title={t('userUnknown')} onRetry={() => void current.refresh()} />
  return current.status === 'loading' ? <Skeleton /> : <Outlet />
}

function LanguageChoice() {
  const t = useTexts(shellTexts)
  const present = useLanguage()
  return (
    <select
      aria-label={t('language')}
      value={present}
      // The options are the languages.
      onChange={({ target }) => chooseLanguage(target.value as Language)}
    >
      {Object.entries(languages).map(([language, name]) => (
        <option key={language} value={language} lang={language}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** A new screen is where a keyboard goes on. */
function useFocusOnMove(main: { readonly current: HTMLElement | null }): void {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const former = useRef(pathname)
  useEffect(() => {
    if (former.current !== pathname) main.current?.focus()
    former.current = pathname
  }, [pathname, main])
}

/** What floats above the screens. */
type Overlay = 'palette' | 'help'

/**
 * `g` and then the letter of a screen opens it; `/` goes to the search of a screen that has one; `?` shows all keys. Ctrl or ⌘ with K opens
 * the palette from everywhere but a dialog.
 */
function useGoKeys(onOverlay: (overlay: Overlay) => void): void {
  const navigate = useNavigate()
  const latest = useRef(onOverlay)
  latest.current = onOverlay
  useEffect(() => {
    let isAfterG = false
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault()
        latest.current('palette')
      }
      if (shortcuts.read() === 'off' || !isForPage(event)) return
      const screen = isAfterG ? screens.find(({ key }) => key === event.key) : undefined
      isAfterG = event.key === 'g'
      if (screen) {
        // The letter may mean something on the screen that is left.
        event.preventDefault()
        void navigate({ to: screen.to })
      }
      if (event.key === '?') latest.current('help')
      if (event.key === '/') focusSearch(event)
    }
    // Before the screens.
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [navigate])
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (key !== 'k' || altKey || shiftKey || !(ctrlKey || metaKey)) return false
  return !isDialogOpen()
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLElement>('input[type=search]')
  if (search) event.preventDefault()
  search?.focus()
}

/** The users for those who look after them; the own account for all others. The shell shows it when they are known. */
export function HomeScreen() {
  const may = useMay()
  return <Navigate to={may('users', 'list') ? '/users' : '/me'} replace />
}
