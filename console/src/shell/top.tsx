import type { ReactNode } from 'react'

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
