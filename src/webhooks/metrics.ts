import { Gauge, type Registry } from '@prometheus-io/client'
import type { Rows } from '../platform/database/database.ts'

interface WebhookStatus {
  readonly outcomes: Readonly<Record<string, number>>
  readonly endpoints: Readonly<Record<string, number>>
  readonly oldest: number
  readonly late: number
}

/** Each scrape reads the gauges from the database. */
export function registerWebhooks(registry: Registry, rows: Rows): void {
  // Reports NaN while the database is down, so that the rest of the scrape succeeds.
  const read = async () => (await rows.query<WebhookStatus>(statusStatement, []).catch(() => []))[0]
  const gauge = (
    name: string,
    help: string,
    collect: (gauge: Gauge<string>, status: WebhookStatus | undefined) => void,
  ) =>
    new Gauge<string>({
      name,
      help,
      labelNames: name === 'muster_webhook_tries' ? ['outcome'] : name === 'muster_webhook_endpoints' ? ['state'] : [],
      registers: [registry],
      async collect() {
        collect(this, await read())
      },
    })
  gauge(
    'muster_webhook_tries',
    'Webhook attempts so far, over all nodes: delivered, to be tried again (retried), given up (failed).',
    (tries, status) => {
      for (const outcome of ['delivered', 'retried', 'failed'])
        tries.set({ outcome }, status ? (status.outcomes[outcome] ?? 0) : Number.NaN)
    },
  )
  gauge(
    'muster_webhook_endpoints',
    'Webhook endpoints: enabled, failing, disabled by an administrator (disabled) or by the service (stopped).',
    (endpoints, status) => {
      for (const state of ['enabled', 'failing', 'disabled', 'stopped'])
        endpoints.set({ state }, status ? (status.endpoints[state] ?? 0) : Number.NaN)
    },
  )
  gauge(
    'muster_webhook_oldest_seconds',
    'Age of the oldest pending webhook for an enabled endpoint; 0 if none is pending.',
    (oldest, status) => oldest.set(status?.oldest ?? Number.NaN),
  )
  gauge(
    'muster_webhook_late_seconds',
    'How long a due webhook has waited for a node; 0 if none is waiting.',
    (late, status) => late.set(status?.late ?? Number.NaN),
  )
}

const statusStatement = {
  name: 'webhook_status',
  text: `
with waiting as (
  select (select d.created_at from webhook_delivery d where d.endpoint_id = e.id and d.state = 'pending'
          order by d.created_at, d.id limit 1) as created_at,
         (select d.next_at from webhook_delivery d where d.endpoint_id = e.id and d.state = 'pending'
          order by d.next_at limit 1) as next_at
  from webhook_endpoint e where e.disabled_at is null
)
select coalesce((select json_object_agg(outcome, tries) from webhook_total), '{}') as outcomes,
       coalesce((select json_object_agg(state, n) from (
         select case when disabled_why = 'administrator' then 'disabled' when disabled_at is not null then 'stopped'
                     when failing_since is not null then 'failing' else 'enabled' end as state, count(*) as n
         from webhook_endpoint group by 1) s), '{}') as endpoints,
       (select greatest(coalesce(extract(epoch from now() - min(created_at)), 0), 0)::float8 from waiting) as oldest,
       (select greatest(coalesce(extract(epoch from now() - min(next_at)), 0), 0)::float8 from waiting) as late`,
}
