import { type ReactNode, useState } from 'react'
import { useNumber, useTexts } from '../texts.ts'
import { FactList, Mark, Moment, type Tone } from '../ui/facts.tsx'
import { Table } from '../ui/table.tsx'
import { AdviceList, type NodeStatus } from './advice.tsx'
import { systemTexts } from './texts.ts'

interface OfNode {
  readonly status: NodeStatus
}

/** What one node says of itself: what to do first, then how everything is. */
export function SystemStatus({ status }: OfNode) {
  const t = useTexts(systemTexts)
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

function Issuers({ issuers }: Pick<NodeStatus, 'issuers'>) {
  const t = useTexts(systemTexts)
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

function Jobs({ jobs }: Pick<NodeStatus, 'jobs'>) {
  const t = useTexts(systemTexts)
  return (
    <Table
      rows={jobs}
      keyOf={({ name, subject }) => name + subject}
      columns={[
        [t('job'), ({ name, subject }) => t(name) + (subject === undefined ? '' : ` (${subject})`), 'title'],
        [t('last'), (job) => <LastRun {...job} />],
        [t('next'), ({ nextAt }) => (nextAt === undefined ? '–' : <Moment at={nextAt} />)],
      ]}
    />
  )
}

function LastRun({ name, lastAt, lastFailureAt, lastFailure }: NodeStatus['jobs'][number]) {
  const t = useTexts(systemTexts)
  return (
    <>
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
    </>
  )
}

function Mail({ mail }: Pick<NodeStatus, 'mail'>) {
  const t = useTexts(systemTexts)
  const number = useNumber()
  if (!mail.isConfigured) return <p>{t('mailNone')}</p>
  const faults = (all: NodeStatus['mail']['givenUp']) =>
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

type Fact = readonly [name: string, value: ReactNode | undefined]

/** How one node and its database are. */
function Health({ status }: { readonly status: NodeStatus }) {
  return <FactList facts={[...useNodeFacts(status), ...useAgreementFacts(status)]} />
}

const databaseTones = {
  up: 'good',
  read_only: 'warning',
  full: 'warning',
  saturated: 'warning',
  refused: 'bad',
  unreachable: 'bad',
} as const satisfies Record<NodeStatus['database']['state'], Tone>

/** The process, and its database. */
function useNodeFacts({ node, database }: NodeStatus): readonly Fact[] {
  const t = useTexts(systemTexts)
  const number = useNumber()
  const { state, cause } = database
  return [
    [t('node'), node.isDraining ? <Mark tone="warning">{t('drains')}</Mark> : <Mark tone="good">{t('accepts')}</Mark>],
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
  ]
}

/** How the node and its database agree. */
function useAgreementFacts({ clock, schema }: NodeStatus): readonly Fact[] {
  const t = useTexts(systemTexts)
  const number = useNumber()
  return [
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
  ]
}

/** The settings of the node. Of a secret it is shown that it is set, and nothing else. */
function Settings({ settings }: Pick<NodeStatus, 'settings'>) {
  const t = useTexts(systemTexts)
  const [isWhole, setIsWhole] = useState(false)
  const shown = settings.filter(({ isSet }) => isWhole || isSet)
  return (
    <section aria-label={t('settings')}>
      <h2>{t('settings')}</h2>
      <p>{t('settingsIntro')}</p>
      <p>
        <label className="settings-all">
          <input type="checkbox" checked={isWhole} onChange={({ target }) => setIsWhole(target.checked)} />{' '}
          {t('settingsAll', { count: settings.length })}
        </label>
      </p>
      <Table
        rows={shown}
        none={t('settingsNone')}
        keyOf={({ name }) => name}
        columns={[
          [t('setting'), ({ name }) => <code>{name}</code>, 'title'],
          [t('value'), (setting) => <SettingValue {...setting} />, 'wrap'],
        ]}
      />
    </section>
  )
}
function SettingValue({ isSet, isSecret, value }: NodeStatus['settings'][number]) {
  const t = useTexts(systemTexts)
  return (
    <>
      {isSecret && isSet && <Mark tone="neutral">{t('secretSet')}</Mark>}
      {value !== undefined && value !== '' && <code>{value}</code>}{' '}
      {!isSet && <Mark tone="neutral">{value ? t('byDefault') : t('notSet')}</Mark>}
    </>
  )
}
