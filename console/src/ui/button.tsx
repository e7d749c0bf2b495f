import type { ButtonHTMLAttributes, ReactNode } from 'react'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
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
