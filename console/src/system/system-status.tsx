import { useTexts } from '../texts/texts.ts'
import { FactList } from '../ui/fact-list.tsx'
import { Mark } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import { AdviceList } from './advice.tsx'
import { Health } from './node-health.tsx'
import { Settings } from './settings.tsx'
import type { SystemStatusRecord } from './status-record.ts'
import { statusTexts } from './status-texts.ts'
import { useNumber } from './use-number.ts'

interface OfNode {
  readonly status: SystemStatusRecord
}

/** What one node says of itself: what to do first, then how everything is. */
export function SystemStatus({ status }: OfNode) {
  const t = useTexts(statusTexts)
  const { host } = status.node
  return (
    <>
      <p>
        {t('ofNode', { host })} <Moment at={status.at} />
      </p>
      <AdviceList advice={status.advice} />
      <h2>{t('health')}</h2>
      <Health status={status} />
      <h2>{t('issuers')}</h2>
      <Issuers issuers={status.issuers} />
      <h2>{t('jobs')}</h2>
      <Jobs jobs={status.jobs} />
      <h2>{t('mail')}</h2>
      <Mail mail={status.mail} />
      <h2>{t('limits')}</h2>
      <FactList
        facts={status.limits.map(({ name, reached }) => [
          isKnownLimit(name) ? t(name) : name,
          reached === 0 ? t('notReached') : <Mark tone="warning">{t('reached', { count: reached })}</Mark>,
        ])}
      />
      <Settings settings={status.settings} />
    </>
  )
}

const knownLimits = ['exports', 'client connections', 'file descriptors'] as const

function isKnownLimit(name: string): name is (typeof knownLimits)[number] {
  return knownLimits.some((known) => known === name)
}

const keyTones = { fresh: 'good', stale: 'warning', unavailable: 'bad' } as const

function Issuers({ issuers }: Pick<SystemStatusRecord, 'issuers'>) {
  const t = useTexts(statusTexts)
  if (issuers.length === 0) return <p>{t('issuersNone')}</p>
  return (
    <FactList
      facts={issuers.map(({ issuer, kind, keys }) => [
        issuer,
        keys === undefined ? (
          <Mark tone="good">{t(kind === 'built_in' ? 'built_in' : 'configured')}</Mark>
        ) : (
          <Mark tone={keyTones[keys]}>{t(keys)}</Mark>
        ),
      ])}
    />
  )
}

function Jobs({ jobs }: Pick<SystemStatusRecord, 'jobs'>) {
  const t = useTexts(statusTexts)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('job')}</th>
          <th scope="col">{t('last')}</th>
          <th scope="col">{t('next')}</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map(({ name, subject, lastAt, nextAt, lastFailureAt, lastFailure }) => (
          <tr key={name + subject}>
            <td>
              {t(name)}
              {subject !== undefined && ` (${subject})`}
            </td>
            <td data-label={t('last')}>
              {lastAt === undefined ? (
                <Mark tone={name === 'backup' ? 'warning' : 'neutral'}>{t('never')}</Mark>
              ) : (
                <Moment at={lastAt} />
              )}
              {lastFailureAt !== undefined && (
                <div>
                  <Mark tone="bad">
                    {t('failed')} <Moment at={lastFailureAt} />: <code>{lastFailure}</code>
                  </Mark>
                </div>
              )}
            </td>
            <td data-label={t('next')}>{nextAt === undefined ? '–' : <Moment at={nextAt} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Mail({ mail }: Pick<SystemStatusRecord, 'mail'>) {
  const t = useTexts(statusTexts)
  const number = useNumber()
  if (!mail.isConfigured) return <p>{t('mailNone')}</p>
  const faults = (all: SystemStatusRecord['mail']['givenUp']) =>
    all.length === 0
      ? '0'
      : all.map(({ kind, fault, mails }) => (
          <div key={kind + fault}>
            <Mark tone="warning">
              {number(mails)} × {kind}: {fault}
            </Mark>
          </div>
        ))
  return (
    <FactList
      facts={[
        [t('mailSent'), number(mail.sent)],
        [
          t('mailWaiting'),
          mail.waiting === 0
            ? '0'
            : t('mailOldest', { count: mail.waiting, minutes: Math.ceil(mail.oldestSeconds / 60) }),
        ],
        [t('mailRetried'), faults(mail.retried)],
        [t('mailGivenUp'), faults(mail.givenUp)],
      ]}
    />
  )
}
