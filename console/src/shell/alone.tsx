import type { ReactNode } from 'react'
import { useTexts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { shellTexts } from './texts.ts'

/** The head of each page. Alone it is what `index.html` holds, so that nothing moves when the scripts have come. */
export function Top({ children }: { readonly children?: ReactNode }) {
  return (
    <header className="top">
      <strong className="brand">Muster</strong>
      {children}
    </header>
  )
}

/** A page without a session. */
export function AlonePage({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <Top />
      <main className="alone">{children}</main>
    </>
  )
}

/** Instead of a form that would send a password in clear text. */
export function Insecure() {
  const t = useTexts(shellTexts)
  return (
    <AlonePage>
      <h1>{t('insecureTitle')}</h1>
      <p>{t('insecure')}</p>
    </AlonePage>
  )
}

export function Unreachable({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts(shellTexts)
  return (
    <AlonePage>
      <h1>{t('unreachableTitle')}</h1>
      <p>{t('unreachable')}</p>
      <Button look="main" onClick={onRetry}>
        {t('retry')}
      </Button>
    </AlonePage>
  )
}
