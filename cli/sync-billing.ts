import { Registry } from '@prometheus-io/client'
import { openBilling } from '../src/billing/billing.ts'
import { reconcile } from '../src/billing/reconcile.ts'
import type { SubscriptionSource, SyncReport } from '../src/billing/sync.ts'
import type { Config } from '../src/config.ts'
import type { Rows } from '../src/platform/database/database.ts'
import { Fault } from './fault.ts'
import { note, print, printJson } from './print.ts'
import { startBar } from './progress.ts'
import type { CommandContext } from './with-database.ts'

/** Reconciles all subscriptions with their payment processor, with a bar on a terminal, and prints the repairs. */
export async function syncBilling({ database, config, log }: CommandContext, asJson: boolean): Promise<void> {
  const options = { ...config.billing, registry: new Registry(), log, now: Date.now }
  const { sources = [] } = (await openBilling(database, options)) ?? {}
  if (sources.length === 0) throw new Fault(`${apiKeyNames(config)} is needed to read subscriptions.`)
  for (const source of sources) {
    const report = await syncOne(database, source)
    if (asJson) printJson(report)
    else printReport(report, source)
  }
}

function apiKeyNames({ billing: { processors } }: Config): string {
  const secrets = processors.flatMap((processor) => processor.secrets)
  return secrets.flatMap(({ kind, name }) => (kind === 'api-key' ? [name] : [])).join(' or ')
}

async function syncOne(database: CommandContext['database'], source: SubscriptionSource): Promise<SyncReport> {
  const bar = progressBar(await countSubscriptions(database, source))
  try {
    const report = await reconcile(database, source, { onProgress: bar.advance })
    bar.stop(`${report.checked} subscriptions compared.`)
    return report
  } catch (error) {
    bar.stop('Not finished; repairs made so far stay.')
    throw error
  }
}

/** Shown on a terminal only. The processor does not say how many subscriptions it has; the number of stored ones is an estimate. */
function progressBar(expected: number) {
  if (!process.stderr.isTTY) return { advance: () => undefined, stop: () => undefined }
  const bar = startBar('Comparing', expected)
  let shown = 0
  return {
    advance({ checked, repaired }: { checked: number; repaired: number }) {
      bar.advance(checked - shown, `${checked} compared, ${repaired} repaired`)
      shown = checked
    },
    stop: (message: string) => bar.stop(message),
  }
}

function printReport({ checked, repaired, linked, unknown }: SyncReport, { title }: SubscriptionSource): void {
  for (const { id, changes } of repaired) print(`repaired  ${id}  ${changes.join('; ')}`)
  for (const id of linked) print(`linked    ${id}`)
  for (const id of unknown) print(`unknown   ${id}  not at ${title}; left as it is`)
  note(
    `${checked} compared, ${repaired.length} repaired, ${linked.length} customers linked, ${unknown.length} unknown to ${title}.`,
  )
}

async function countSubscriptions(rows: Rows, { processor }: SubscriptionSource): Promise<number> {
  const [row] = await rows.query<{ n: number }>(countStatement, [processor])
  return row?.n ?? 0
}

const countStatement = {
  name: 'subscriptions_count',
  text: 'select count(*)::int as n from subscription s join customer c on c.id = s.customer_id where c.processor = $1',
}
