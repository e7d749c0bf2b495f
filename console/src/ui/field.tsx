import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react'

interface Around {
  readonly label: string
  readonly hint?: ReactNode
  /** Why the value was refused. */
  readonly error?: string | undefined
}

/** An input with its label, a hint, and why it was refused, all of them connected for screen readers. */
export function Field({ label, hint, error, ...input }: Around & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} {...input} aria-invalid={error !== undefined} aria-describedby={describedBy(id, hint, error)} />
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

/** A choice among a few. */
export function Choice({ label, hint, error, ...select }: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} {...select} aria-invalid={error !== undefined} aria-describedby={describedBy(id, hint, error)} />
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

function describedBy(id: string, hint: ReactNode, error: string | undefined): string | undefined {
  return (
    [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ') || undefined
  )
}

function Notes({ id, hint, error }: { readonly id: string } & Omit<Around, 'label'>) {
  return (
    <>
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
}
