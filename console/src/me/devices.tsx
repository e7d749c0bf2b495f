import { type Schemas, unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { Answer } from '../ui/answer.tsx'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { say } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { deviceName } from './device-name.ts'
import { meTexts } from './texts.ts'

const queryKey = ['own-devices']

/** Devices that have signed in before: the guesses of others do not hold them up. */
export function Devices() {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const list = useQuery({ queryKey, queryFn: ({ signal }) => unwrap(muster.GET('/auth/devices', { signal })) })
  const forget = async (deviceId: string) => {
    await unwrap(muster.DELETE('/auth/devices/{deviceId}', { params: { path: { deviceId } } }))
    say(t('forgetDone'))
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <>
      <h2>{t('devices')}</h2>
      <p>{t('devicesWhat')}</p>
      <Answer of={list} refusal={t('devicesRefused')}>
        {({ devices }) =>
          devices.length === 0 ? (
            <p className="empty">{t('devicesNone')}</p>
          ) : (
            <ul className="rows">
              {devices.map((device) => (
                <li key={device.id}>
                  <DeviceFacts device={device} />
                  <Button
                    aria-label={t('forgetNamed', { name: device.label ? deviceName(device.label) : t('device') })}
                    isBusy={attempt.isBusy}
                    onClick={() => attempt.run(() => forget(device.id))}
                  >
                    {t('forget')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {attempt.error !== undefined && <ProblemNote error={attempt.error} title={t('forgetRefused')} />}
    </>
  )
}

export function DeviceFacts({ device }: { readonly device: Schemas['Devices']['devices'][number] }) {
  const t = useTexts(meTexts)
  const { label, isCurrent, createdAt, lastUsedAt } = device
  return (
    <div className="wrap">
      <span title={label}>{label ? deviceName(label) : t('device')}</span>{' '}
      {isCurrent && <Mark tone="good">{t('thisOne')}</Mark>}
      <p className="row-note">
        {t('known')} <Moment at={createdAt} /> · {t('lastUsed')} <Moment at={lastUsedAt} />
      </p>
    </div>
  )
}
