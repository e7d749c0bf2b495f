import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react'

interface Around {
  readonly label: string
  readonly hint?: ReactNode
  /** Why the value was refused. */
  readonly error?: string | undefined
}

interface Typed {
  readonly onType?: (value: string) => void
}

/** An input with its label, a hint, and why it was refused. */
export function Field({
  label,
  hint,
  error,
  onType,
  ...input
}: Around & Typed & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelled {...{ label, hint, error }}>
      {(connected) => <input {...connected} onChange={({ target }) => onType?.(target.value)} {...input} />}
    </Labelled>
  )
}

interface PasswordFieldProps {
  readonly label: string
  readonly hint?: string
  readonly isNew?: boolean
  readonly name?: string
  readonly value: string
  readonly onType: (value: string) => void
}

/** For a password of the user's own, which the browser may fill in. */
export function PasswordField({ isNew = false, ...field }: PasswordFieldProps) {
  return <Field {...field} type="password" autoComplete={isNew ? 'new-password' : 'current-password'} required />
}

/** A choice among a few. */
export function Choice({
  label,
  hint,
  error,
  onType,
  ...select
}: Around & Typed & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Labelled {...{ label, hint, error }}>
      {(connected) => <select {...connected} onChange={({ target }) => onType?.(target.value)} {...select} />}
    </Labelled>
  )
}

interface Connected {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

interface LabelledProps extends Around {
  readonly children: (connected: Connected) => ReactNode
}

/** Label, hint and fault of any input, all of them connected for screen readers. */
export function Labelled({ label, hint, error, children }: LabelledProps) {
  const id = useId()
  const notes = [
    { id: `${id}-hint`, look: 'field-hint', note: hint },
    { id: `${id}-error`, look: 'field-error', note: error },
  ].filter(({ note }) => note !== undefined)
  const describedBy = notes.length > 0 ? notes.map((one) => one.id).join(' ') : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': describedBy })}
      {notes.map(({ note, look, ...one }) => (
        <p key={look} className={look} {...one}>
          {note}
        </p>
      ))}
    </div>
  )
}
