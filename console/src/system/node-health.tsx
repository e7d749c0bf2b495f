import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'
import { FactList } from '../ui/fact-list.tsx'
import { Mark, type Tone } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import type { SystemStatusRecord } from './status-record.ts'
import { statusTexts } from './status-texts.ts'
import { useNumber } from './use-number.ts'

type Fact = readonly [name: string, value: ReactNode | undefined]

/** How one node and its database are. */
export function Health({ status }: { readonly status: SystemStatusRecord }) {
  return <FactList facts={[...useNodeFacts(status), ...useAgreementFacts(status)]} />
}

const databaseTones = {
  up: 'good',
  read_only: 'warning',
  full: 'warning',
  saturated: 'warning',
  refused: 'bad',
  unreachable: 'bad',
} as const satisfies Record<SystemStatusRecord['database']['state'], Tone>

/** The process, and its database. */
function useNodeFacts({ node, database }: SystemStatusRecord): readonly Fact[] {
  const t = useTexts(statusTexts)
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
function useAgreementFacts({ clock, schema }: SystemStatusRecord): readonly Fact[] {
  const t = useTexts(statusTexts)
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
