import { unwrap } from '@muster/client'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useAttempt } from '../ui/use-attempt.ts'
import { meTexts } from './texts.ts'

/** Codes that are shown once, to copy or to keep as a file. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const t = useTexts(meTexts)
  const text = `${codes.join('\n')}\n`
  return (
    <section className="note note-warning" aria-label={t('codesTitle')}>
      <p className="note-title">{t('codesTitle')}</p>
      <p>{t('codesWhat')}</p>
      <pre>{text}</pre>
      <div className="buttons">
        <CopyButton text={text} name={t('codesTitle')} />
        <Button onClick={() => saveFile('recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}>
          {t('download')}
        </Button>
      </div>
    </section>
  )
}

export function NewCodes({ onMade }: { readonly onMade: (codes: readonly string[]) => void }) {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const [isOpen, setIsOpen] = useState(false)
  const [password, setPassword] = useState('')
  const make = async () => {
    const body = { password }
    const made = await withStepUp(() => unwrap(muster.POST('/auth/recovery-codes', { body })))
    setPassword('')
    setIsOpen(false)
    onMade(made.recoveryCodes)
  }
  if (!isOpen) return <Button onClick={() => setIsOpen(true)}>{t('newCodes')}</Button>
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attempt.run(make)
      }}
    >
      <Field
        label={t('yourPassword')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('factorRefused')} />}
      <Button type="submit" isBusy={attempt.isBusy}>
        {t('newCodes')}
      </Button>
    </form>
  )
}
