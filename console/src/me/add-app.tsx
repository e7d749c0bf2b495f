import { type Schemas, unwrap } from '@muster/client'
import { useState } from 'react'
import { encode } from 'uqr'
import { muster } from '../session/muster.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { useTexts } from '../texts.ts'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button, CopyId } from '../ui/button.tsx'
import { Field, PasswordField } from '../ui/field.tsx'
import { say } from '../ui/toast.tsx'
import { meTexts } from './texts.ts'

type Enrolment = Schemas['Enrolment']

export interface AddFactorProps {
  /** With recovery codes, where it is the first factor. */
  readonly onAdded: (recoveryCodes: readonly string[] | undefined) => void
}

/** Name and password, then the secret, then the first code. */
export function AddApp({ onAdded }: AddFactorProps) {
  const t = useTexts(meTexts)
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [isOpen, setIsOpen] = useState(false)
  const done = (recoveryCodes: readonly string[] | undefined) => {
    setEnrolment(undefined)
    setIsOpen(false)
    say(t('factorDone'))
    onAdded(recoveryCodes)
  }
  if (!isOpen)
    return (
      <p>
        <Button onClick={() => setIsOpen(true)}>{t('addApp')}</Button>
      </p>
    )
  return enrolment ? <FirstCode enrolment={enrolment} onAdded={done} /> : <Start onStarted={setEnrolment} />
}

function Start({ onStarted }: { readonly onStarted: (enrolment: Enrolment) => void }) {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const [friendlyName, setName] = useState('')
  const [password, setPassword] = useState('')
  const start = async () => {
    const body = { friendlyName: friendlyName.trim(), password }
    onStarted(await withStepUp(() => unwrap(muster.POST('/auth/factors', { body }))))
  }
  return (
    <form onSubmit={attempt.submit(start)}>
      <h3>{t('addApp')}</h3>
      <Field label={t('appName')} required maxLength={100} autoComplete="off" value={friendlyName} onType={setName} />
      <PasswordField label={t('yourPassword')} value={password} onType={setPassword} />
      <AttemptNote error={attempt.error} title={t('factorRefused')} />
      <p>
        <Button type="submit" isBusy={attempt.isBusy}>
          {t('start')}
        </Button>
      </p>
    </form>
  )
}

function FirstCode({ enrolment: { id, secret, uri }, onAdded }: AddFactorProps & { readonly enrolment: Enrolment }) {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const [code, setCode] = useState('')
  const verify = async () => {
    const params = { path: { factorId: id } }
    const body = { code, endOtherSessions: true }
    const { recoveryCodes } = await unwrap(muster.POST('/auth/factors/{factorId}/verify', { params, body }))
    onAdded(recoveryCodes)
  }
  return (
    <form onSubmit={attempt.submit(verify)}>
      <h3>{t('addApp')}</h3>
      <p>{t('secretWhat')}</p>
      <QrCode text={uri} name={t('qrCode')} />
      <p>
        {t('withoutCamera')} <CopyId id={secret} name={t('secret')} />
      </p>
      <p>
        <a href={uri}>{t('openApp')}</a>
      </p>
      <Field
        label={t('firstCode')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onType={(value) => setCode(value.trim())}
      />
      <AttemptNote error={attempt.error} title={t('factorRefused')} />
      <p>
        <Button type="submit" isBusy={attempt.isBusy}>
          {t('finish')}
        </Button>
      </p>
    </form>
  )
}

interface QrCodeProps {
  readonly text: string
  /** What it is, for those who cannot see it. */
  readonly name: string
}

/** Black on white in both colour schemes: cameras expect it. One path, so that it needs no styles of its own. */
function QrCode({ text, name }: QrCodeProps) {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className="qr" role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
