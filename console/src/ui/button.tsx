import { type ButtonHTMLAttributes, type ReactNode, useState } from 'react'
import { useTexts, words } from '../texts.ts'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'plain' | 'main' | 'danger' | 'text'
  /** Its action is under way: it cannot be started again, and keeps the focus. */
  readonly isBusy?: boolean
  readonly children: ReactNode
}

export function Button({ look = 'plain', isBusy = false, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={isBusy ? 'button' : type}
      className={`button button-${look}`}
      aria-disabled={isBusy || rest.disabled}
      aria-busy={isBusy}
      onClick={isBusy ? undefined : onClick}
    />
  )
}

/** Copies a text. `name` says which, to screen readers. */
export function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
  const t = useTexts(words)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 2_000)
  }
  return (
    <button
      type="button"
      className="button button-text copy"
      aria-label={t('copy', { name })}
      onClick={() => void copy()}
    >
      <span aria-hidden="true">{isCopied ? t('copied') : t('copyWord')}</span>
      <span role="status" className="hidden">
        {isCopied ? t('copied') : ''}
      </span>
    </button>
  )
}

/** An identifier in full, with a button that copies it. */
export function CopyId({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <span className="copy-id">
      <code>{id}</code> <CopyButton text={id} name={name} />
    </span>
  )
}
