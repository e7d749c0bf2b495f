import { type ReactNode, useId, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { keyCheckTexts } from './texts.ts'

interface SecretFieldProps {
  readonly label: string
  readonly value: string
  /** A file of several lines. */
  readonly isMultiline: boolean
  readonly isRequired: boolean
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly onType: (value: string) => void
}

/** A value that is hidden until it is shown on request. No browser completes, corrects or keeps it. */
export function SecretField({ label, value, isMultiline, isRequired, hint, error, onType }: SecretFieldProps) {
  const t = useTexts(keyCheckTexts)
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  const common = {
    id,
    value,
    autoComplete: 'off',
    autoCapitalize: 'none',
    autoCorrect: 'off',
    spellCheck: false,
    'aria-required': isRequired,
    'aria-invalid': error !== undefined,
    'aria-describedby': described || undefined,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onType(target.value),
  } as const
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="secret">
        {isMultiline ? (
          <textarea {...common} rows={6} className={isShown ? 'secret-text' : 'secret-text secret-masked'} />
        ) : (
          <input {...common} type={isShown ? 'text' : 'password'} className="secret-text" />
        )}
        <button
          type="button"
          className="button"
          aria-label={t(isShown ? 'hideValue' : 'showValue', { name: label })}
          onClick={() => setIsShown(!isShown)}
        >
          {t(isShown ? 'hide' : 'show')}
        </button>
      </div>
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
    </div>
  )
}
