/**
 * Prints the schema of CloudNativePG's `Cluster` for test/support/cloudnative-pg, from its published definition on
 * standard input (config/crd/bases/postgresql.cnpg.io_clusters.yaml). Members that our manifests do not use are kept by
 * name only, as `false`: to use one, run this program again.
 * node scripts/cluster-schema.ts v1.30.0 4b5e244a < clusters.yaml > test/support/cloudnative-pg/v1.30.0.json
 */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { clusterManifests } from '../test/support/cluster-manifests.ts'

interface Published {
  readonly properties?: Readonly<Record<string, Published>>
  readonly items?: Published
  readonly [keyword: string]: unknown
}

const [, , tag = '', commit = ''] = process.argv
const { spec } = parse(readFileSync(0, 'utf8'))
const version: { name: string; schema: { openAPIV3Schema: Published } } = spec.versions.find(
  ({ name }: { name: string }) => name === 'v1',
)
const schema = trimmed(
  version.schema.openAPIV3Schema.properties?.spec ?? {},
  clusterManifests().map((manifest) => manifest.spec),
)
const source = `https://github.com/cloudnative-pg/cloudnative-pg (Apache-2.0), ${tag}, commit ${commit}: the spec of a Cluster, by scripts/cluster-schema.ts`
process.stdout.write(`${JSON.stringify({ $comment: source, ...schema }, null, 2)}\n`)

/** Kubernetes rejects members that a schema does not name, unless the schema preserves unknown ones. */
function trimmed({ description: _, properties, items, ...rest }: Published, values: readonly unknown[]): object {
  const objects = values.filter((value) => typeof value === 'object' && value !== null)
  const keepsOthers = 'additionalProperties' in rest || rest['x-kubernetes-preserve-unknown-fields'] === true
  return {
    ...rest,
    ...(items && { items: trimmed(items, values.flat()) }),
    ...(properties && {
      ...(!keepsOthers && { additionalProperties: false }),
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => {
          const used = objects.flatMap((object) => (name in object ? [Reflect.get(object, name)] : []))
          return [name, used.length > 0 ? trimmed(member, used) : false]
        }),
      ),
    }),
  }
}
