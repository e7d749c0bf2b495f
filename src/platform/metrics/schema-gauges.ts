import { Gauge, type Registry } from '@prometheus-io/client'
import type { SchemaState } from '../database/schema.ts'

export function registerSchema(registry: Registry, read: () => SchemaState): void {
  const gauge = (name: string, help: string, valueIn: (schema: SchemaState) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(valueIn(read()))
      },
    })
  gauge(
    'muster_schema_version',
    'Number of the newest migration of the database, as /readyz last read it.',
    ({ version }) => version,
  )
  gauge(
    'muster_schema_release_version',
    'Number of the newest migration that this release knows.',
    ({ releaseVersion }) => releaseVersion,
  )
}
