import { type Schemas, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { ownFactors } from '../session/own.ts'
import { hasPasskeys, makePasskey } from '../session/passkeys.ts'
import { queries } from '../session/queries.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { saveFile } from '../ui/download.tsx'
import { Mark, Moment } from '../ui/facts.tsx'
import { PasswordField } from '../ui/field.tsx'
import { say } from '../ui/toast.tsx'
import { AddApp, type AddFactorProps } from './add-app.tsx'
import { meTexts } from './texts.ts'

type Factor = Schemas['Factor']

const readAgain = () => void queries.invalidateQueries({ queryKey: ownFactors.queryKey })

/** The second step: apps, passkeys and recovery codes. */
export function Factors() {
  const t = useTexts(meTexts)
  const [codes, setCodes] = useState<readonly string[]>()
  const list = useQuery(ownFactors)
  const added = (recoveryCodes: readonly string[] | undefined) => {
    setCodes(recoveryCodes)
    readAgain()
  }
  return (
    <>
      <h2>{t('factors')}</h2>
      <Answer of={list} refusal={t('ownFactorsRefused')}>
        {({ factors, recoveryCodesLeft, recoveryCodesOutdated }) => (
          <>
            {factors.length === 0 ? (
              <p>
                <Mark tone="warning">{t('factorsNone')}</Mark>
              </p>
            ) : (
              <FactorList factors={factors} onChanged={readAgain} />
            )}
            {factors.length > 0 && (
              <p>
                <Mark tone={recoveryCodesLeft < 3 ? 'warning' : 'neutral'}>
                  {t('codesLeft', { count: recoveryCodesLeft })}
                </Mark>
              </p>
            )}
            {recoveryCodesOutdated && <p className="note note-warning">{t('codesOutdated')}</p>}
            {codes && <RecoveryCodes codes={codes} />}
            <AddApp onAdded={added} />
            {hasPasskeys && <AddPasskey onAdded={added} />}
            {factors.length > 0 && <NewCodes onMade={added} />}
          </>
        )}
      </Answer>
    </>
  )
}

interface FactorListProps {
  readonly factors: readonly Factor[]
  readonly onChanged: () => void
}

function FactorList({ factors, onChanged }: FactorListProps) {
  const t = useTexts(meTexts)
  const remove = async ({ id, friendlyName }: Factor) => {
    const options = { params: { path: { factorId: id } }, body: { endOtherSessions: true } }
    await withStepUp(() => unwrap(muster.POST('/auth/factors/{factorId}/remove', options)))
    say(t('removeDone', { name: friendlyName }))
    onChanged()
  }
  return (
    <ul className="rows">
      {factors.map((factor) => (
        <li key={factor.id}>
          <FactorFacts factor={factor} />
          <ConfirmButton
            label={t('remove')}
            aria-label={t('removeNamed', { name: factor.friendlyName })}
            question={t('removeQuestion', { name: factor.friendlyName })}
            action={t('removeNamed', { name: factor.friendlyName })}
            refusal={t('removeRefused')}
            onConfirm={() => remove(factor)}
          >
            {t('removeWhat')}
          </ConfirmButton>
        </li>
      ))}
    </ul>
  )
}

export function FactorFacts({ factor }: { readonly factor: Factor }) {
  const t = useTexts(meTexts)
  return (
    <div className="wrap">
      {factor.friendlyName}
      <p className="row-note">
        {t(factor.type)} · {t('added')} <Moment at={factor.createdAt} />
      </p>
    </div>
  )
}

function AddPasskey({ onAdded }: AddFactorProps) {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const add = async () => {
    const { options } = await withStepUp(() => unwrap(muster.POST('/auth/passkeys/options', { body: {} })))
    const credential = await makePasskey(options)
    const body = { friendlyName: t('passkeyName'), credential, endOtherSessions: true }
    const made = await unwrap(muster.POST('/auth/passkeys', { body }))
    say(t('passkeyDone'))
    onAdded(made.recoveryCodes)
  }
  return (
    <>
      <AttemptNote error={attempt.error} title={t('factorRefused')} />
      <p>
        <Button isBusy={attempt.isBusy} onClick={() => attempt.run(add)}>
          {t('addPasskey')}
        </Button>
      </p>
    </>
  )
}

/** Codes that are shown once, to copy or to keep as a file. */
function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
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

function NewCodes({ onMade }: { readonly onMade: (codes: readonly string[]) => void }) {
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
    <form onSubmit={attempt.submit(make)}>
      <PasswordField label={t('yourPassword')} value={password} onType={setPassword} />
      <AttemptNote error={attempt.error} title={t('factorRefused')} />
      <Button type="submit" isBusy={attempt.isBusy}>
        {t('newCodes')}
      </Button>
    </form>
  )
}
