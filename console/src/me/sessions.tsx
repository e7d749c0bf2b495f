import { unwrap } from '@muster/client'
import { useQuery } from '@tanstack/react-query'
import { muster, session } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { reading } from '../session/reading.ts'
import { useTexts } from '../texts.ts'
import { Answer } from '../ui/answer.tsx'
import { AttemptNote, useAttempt } from '../ui/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Mark, Moment } from '../ui/facts.tsx'
import { say } from '../ui/toast.tsx'
import { meTexts } from './texts.ts'

const sessionsKey = ['own-sessions']

export function OwnSessions() {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const list = useQuery(reading(sessionsKey, (signal) => muster.GET('/auth/sessions', { signal })))
  const end = async (sessionId: string) => {
    await unwrap(muster.DELETE('/auth/sessions/{sessionId}', { params: { path: { sessionId } } }))
    say(t('endDone'))
    await queries.invalidateQueries({ queryKey: sessionsKey })
  }
  return (
    <>
      <h2>{t('openSessions')}</h2>
      <Answer of={list} refusal={t('sessionsRefused')}>
        {({ sessions }) => (
          <ul className="rows">
            {sessions.map((one) => (
              <li key={one.id}>
                <DeviceFacts {...one} userAgent={one.userAgent} since={t('opened')} />
                {!one.isCurrent && (
                  <Button
                    aria-label={t('endNamed', {
                      name: one.userAgent ? deviceName(one.userAgent) : (one.address ?? t('device')),
                    })}
                    isBusy={attempt.isBusy}
                    onClick={() => attempt.run(() => end(one.id))}
                  >
                    {t('end')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Answer>
      <AttemptNote error={attempt.error} title={t('endRefused')} />
      <SignOutEverywhere />
    </>
  )
}

function SignOutEverywhere() {
  const t = useTexts(meTexts)
  const everywhere = async () => {
    await unwrap(muster.POST('/auth/sign-out-everywhere'))
    await session.signOut()
  }
  return (
    <div className="buttons">
      <ConfirmButton
        look="danger"
        question={t('everywhereQuestion')}
        action={t('everywhere')}
        refusal={t('signOutRefused')}
        onConfirm={everywhere}
      >
        {t('everywhereWhat')}
      </ConfirmButton>
    </div>
  )
}

const devicesKey = ['own-devices']

/** Devices that have signed in before: the guesses of others do not hold them up. */
export function Devices() {
  const t = useTexts(meTexts)
  const attempt = useAttempt()
  const list = useQuery(reading(devicesKey, (signal) => muster.GET('/auth/devices', { signal })))
  const forget = async (deviceId: string) => {
    await unwrap(muster.DELETE('/auth/devices/{deviceId}', { params: { path: { deviceId } } }))
    say(t('forgetDone'))
    await queries.invalidateQueries({ queryKey: devicesKey })
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
                  <DeviceFacts {...device} userAgent={device.label} since={t('known')} />
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
      <AttemptNote error={attempt.error} title={t('forgetRefused')} />
    </>
  )
}

interface DeviceFactsProps {
  readonly userAgent: string | undefined
  readonly address?: string
  readonly isCurrent: boolean
  /** What happened first: the session was opened, or the device became known. */
  readonly since: string
  readonly createdAt: string
  readonly lastUsedAt: string
}

/** The browser of a session, or of a known device. */
export function DeviceFacts({ userAgent, address, isCurrent, since, createdAt, lastUsedAt }: DeviceFactsProps) {
  const t = useTexts(meTexts)
  return (
    <div className="wrap">
      <span title={userAgent}>{userAgent ? deviceName(userAgent) : t('device')}</span>{' '}
      {isCurrent && <Mark tone="good">{t('thisOne')}</Mark>}
      <p className="row-note">
        {address !== undefined && `${address} · `}
        {since} <Moment at={createdAt} /> · {t('lastUsed')} <Moment at={lastUsedAt} />
      </p>
    </div>
  )
}

/** The first that fits names the browser: most claim to be others as well. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.* Safari\//, 'Safari'],
]
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** “Chrome, Linux” of a user agent; one that is of no known browser as it is. */
function deviceName(userAgent: string): string {
  const [browser, system] = [browsers, systems].map((all) => all.find(([pattern]) => pattern.test(userAgent))?.[1])
  return browser === undefined ? userAgent : [browser, system].filter(Boolean).join(', ')
}
