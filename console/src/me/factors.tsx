import { type Schemas, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { hasPasskeys, makePasskey } from '../session/passkeys.ts'
import { queries } from '../session/queries.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { saveFile } from '../ui/download.tsx'
import { Mark, Moment } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { AddApp } from './add-app.tsx'
import { meTexts } from './texts.ts'

type Factor = Schemas['Factor']

const queryKey = ['own-factors']

/** The second step: apps, passkeys and recovery codes. */
export function Factors() {
  const t = useTexts(meTexts)
  const [codes, setCodes] = useState<readonly string[]>()
  const list = useQuery({ queryKey, queryFn: ({ signal }) => unwrap(muster.GET('/auth/factors', { signal })) })
  const added = (recoveryCodes: readonly string[] | undefined) => {
    setCodes(recoveryCodes)
    void queries.invalidateQueries({ queryKey })
  }
  return (
    <>
      <h2>{t('factors')}</h2>
      <Answer of={list} refusal={t('factorsRefused')}>
        {({ factors, recoveryCodesLeft, recoveryCodesOutdated }) => (
          <>
            {factors.length === 0 ? (
              <p>
                <Mark tone="warning">{t('factorsNone')}</Mark>
              </p>
            ) : (
              <FactorList factors={factors} onChanged={() => void queries.invalidateQueries({ queryKey })} />
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
  const [removing, setRemoving] = useState<Factor>()
  const name = removing?.friendlyName ?? ''
  const remove = async () => {
    if (!removing) return
    const params = { path: { factorId: removing.id } }
    await withStepUp(() =>
      unwrap(muster.POST('/auth/factors/{factorId}/remove', { params, body: { endOtherSessions: true } })),
    )
    say(t('removeDone', { name }))
    onChanged()
  }
  return (
    <>
      <ul className="rows">
        {factors.map((factor) => (
          <li key={factor.id}>
            <FactorFacts factor={factor} />
            <Button aria-label={t('removeNamed', { name: factor.friendlyName })} onClick={() => setRemoving(factor)}>
              {t('remove')}
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        isOpen={removing !== undefined}
        question={t('removeQuestion', { name })}
        action={t('removeNamed', { name })}
        refusal={t('removeRefused')}
        onConfirm={remove}
        onClose={() => setRemoving(undefined)}
      >
        {t('removeWhat')}
      </Confirm>
    </>
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

interface AddPasskeyProps {
  readonly onAdded: (recoveryCodes: readonly string[] | undefined) => void
}

function AddPasskey({ onAdded }: AddPasskeyProps) {
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
