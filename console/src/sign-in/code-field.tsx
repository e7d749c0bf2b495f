import { useTexts } from '../texts/texts.ts'
import { Field } from '../ui/field.tsx'
import { signInTexts } from './texts.ts'

interface CodeFieldProps {
  readonly isRecovery: boolean
  /** Whose code is asked for. */
  readonly app: string
  readonly code: string
  readonly onChange: (code: string) => void
}

/** For a code of an authenticator app, or a recovery code. */
export function CodeField({ isRecovery, app, code, onChange }: CodeFieldProps) {
  const t = useTexts(signInTexts)
  const way = isRecovery
    ? ({ label: t('recoveryCode'), hint: t('recoveryHint'), inputMode: 'text', autoComplete: 'off' } as const)
    : ({
        label: t('code'),
        hint: t('codeHint', { name: app }),
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
      } as const)
  return <Field {...way} required value={code} onChange={({ target }) => onChange(target.value.trim())} />
}
