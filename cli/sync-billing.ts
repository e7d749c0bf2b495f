import { Registry } from 'prom-client'
import { openBilling } from '../src/billing/billing.ts'
import { type SyncReport, syncSubscriptions } from '../src/billing/sync.ts'
import type { Rows } from '../src/platform/database/database.ts'
import { Fault } from './fault.ts'
import { note, print, printJson } from './print.ts'
import { startBar } from './progress.ts'
import type { Bench } from './with-database.ts'

/** Compares all subscriptions with the payment processor's, with a bar on a terminal, and prints what was repaired. */
export async function syncBilling({ database, config, log }: Bench, asJson: boolean): Promise<void> {
  const room = await openBilling(database, { ...config.billing, registry: new Registry(), log, now: Date.now })
  const source = room?.source
  if (!source) throw new Fault('STRIPE_SECRET_KEY is needed, to ask Stripe.')
  const bar = progressBar(await countSubscriptions(database))
  try {
    const report = await syncSubscriptions(database, source, { onProgress: bar.advance })
    bar.stop(`${report.checked} subscriptions compared.`)
    if (asJson) printJson(report)
    else tell(report)
  } catch (error) {
    bar.stop('Not finished; what was repaired stays repaired.')
    throw error
  }
}

/** Shown on a terminal only. How many there are at Stripe it does not tell: the number here is a good guess. */
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

function tell({ checked, repaired, linked, unknown }: SyncReport): void {
  for (const { id, changes } of repaired) print(`repaired  ${id}  ${changes.join('; ')}`)
  for (const id of linked) print(`linked    ${id}`)
  for (const id of unknown) print(`unknown   ${id}  not at Stripe; left as it is`)
  note(
    `${checked} compared, ${repaired.length} repaired, ${linked.length} customers linked, ${unknown.length} unknown to Stripe.`,
  )
}

async function countSubscriptions(rows: Rows): Promise<number> {
  const text = 'select count(*)::int as n from subscription'
  const [row] = await rows.query<{ n: number }>({ name: 'subscriptions_count', text }, [])
  return row?.n ?? 0
}
