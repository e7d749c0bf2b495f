import type { components } from '@muster/client'
import { useLanguage, useTexts } from '../texts/texts.ts'
import { FactList } from '../ui/fact-list.tsx'
import { Mark, type Tone } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import { AdviceList } from './advice.tsx'
import { Settings } from './settings.tsx'
import { statusTexts } from './status-texts.ts'

export type SystemStatusRecord = components['schemas']['SystemStatus']

interface OfNode {
  readonly status: SystemStatusRecord
}

/** What one node says of itself: what to do first, then how everything is. */
export function SystemStatus({ status }: OfNode) {
  const t = useTexts(statusTexts)
  const { host, worker, workers } = status.node
  return (
    <>
      <p>
        {worker === undefined ? t('ofNode', { host }) : t('ofWorker', { host, worker, workers })}{' '}
        <Moment at={status.at} />
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

const databaseTones = {
  up: 'good',
  read_only: 'warning',
  full: 'warning',
  saturated: 'warning',
  refused: 'bad',
  unreachable: 'bad',
} as const satisfies Record<SystemStatusRecord['database']['state'], Tone>

function Health({ status: { node, database, clock, schema, freshness, cache } }: OfNode) {
  const t = useTexts(statusTexts)
  const number = useNumber()
  const { state, cause } = database
  return (
    <FactList
      facts={[
        [
          t('node'),
          node.isDraining ? <Mark tone="warning">{t('drains')}</Mark> : <Mark tone="good">{t('accepts')}</Mark>,
        ],
        [
          t('version'),
          <>
            Muster {node.version}
            {node.commit !== undefined && (
              <>
                {' '}
                (<code>{node.commit.slice(0, 12)}</code>)
              </>
            )}
            , Node.js {node.nodeVersion.replace(/^v/, '')}
          </>,
        ],
        [t('started'), <Moment key="started" at={node.startedAt} />],
        [
          t('database'),
          <>
            <Mark tone={databaseTones[state]}>
              {t(state)}
              {cause !== undefined && ` (${cause})`}
            </Mark>
            <div>
              PostgreSQL {database.version}, {t(database.place)}
            </div>
          </>,
        ],
        [
          t('failures'),
          database.failures.length === 0
            ? undefined
            : database.failures.map(({ code, count }) => `${code}: ${number(count)}`).join(', '),
        ],
        [
          t('connections'),
          database.pools.map(({ name, busy, max, waiting }) => t('pool', { name, busy, max, waiting })).join(' · '),
        ],
        [
          t('freshness'),
          freshness.isProven ? (
            <Mark tone="good">
              {t('proven', { age: number(freshness.proofAgeSeconds, 1), bound: freshness.boundSeconds })}
            </Mark>
          ) : (
            <Mark tone="warning">{t('unproven')}</Mark>
          ),
        ],
        [
          t('cache'),
          t('cached', {
            entries: number(cache.entries),
            size: number(cache.bytes / 2 ** 20, 1),
            max: number(cache.bytesMax / 2 ** 20),
          }),
        ],
        [
          t('clock'),
          <Mark key="clock" tone={clock.isFar ? 'warning' : 'good'}>
            {t('offset', { seconds: number(Math.abs(clock.offsetSeconds), 2) })}
          </Mark>,
        ],
        [
          t('schema'),
          schema.ahead.length === 0 && schema.pending.length === 0 ? (
            <Mark tone="good">{t('schemaSame', { version: schema.version })}</Mark>
          ) : (
            <Mark tone="warning">{t('schemaOther', { version: schema.version, release: schema.releaseVersion })}</Mark>
          ),
        ],
      ]}
    />
  )
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

/** Writes a number as its reader does. */
function useNumber() {
  const language = useLanguage()
  return (value: number, digits = 0) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)
}
