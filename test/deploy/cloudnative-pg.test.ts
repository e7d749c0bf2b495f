import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { clusterManifests } from '../support/cluster-manifests.ts'
import type { Manifest } from '../support/kustomize.ts'

const folder = new URL('../support/cloudnative-pg/', import.meta.url)
/** The oldest version that supports PostgreSQL 18, and the newest. */
const versions = readdirSync(folder).map((name) => ({
  name,
  schema: JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
}))

/** Why a version does not accept a manifest. */
function faultsOf(schema: object, { spec }: Manifest): readonly string[] {
  // Kubernetes uses number formats and keywords that are not in JSON Schema.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const validate = ajv.compile(schema)
  if (validate(spec)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

test.each(versions)('the published schema of CloudNativePG $name accepts all of our clusters', ({ schema }) => {
  expect(clusterManifests().length).toBe(2)
  for (const manifest of clusterManifests()) expect(faultsOf(schema, manifest), manifest.metadata.name).toEqual([])
})

test.each(versions)(
  'the schema of $name rejects an unknown member, a wrong type, a missing member and an unlisted value',
  ({ schema }) => {
    const [cluster] = clusterManifests()
    if (!cluster) throw new Error('there is no cluster')
    const spec = cluster.spec as { postgresql: { synchronous: object }; bootstrap: { initdb: object } }
    const broken = (changed: object) => faultsOf(schema, { ...cluster, spec: { ...spec, ...changed } })
    const withSynchronous = (synchronous: object) => broken({ postgresql: { ...spec.postgresql, synchronous } })
    expect(broken({ instancs: 3 })).toEqual([expect.stringContaining('"additionalProperty":"instancs"')])
    expect(broken({ instances: '3' })).toEqual(['/instances must be integer {"type":"integer"}'])
    expect(broken({ storage: { size: 20, storageClas: 'x' } })).toHaveLength(2)
    expect(broken({ instances: undefined })).toEqual([expect.stringContaining("required property 'instances'")])
    expect(withSynchronous({ method: 'some', number: 1 })).toEqual([expect.stringContaining('allowedValues')])
    expect(withSynchronous({ method: 'any' })).toEqual([expect.stringContaining("required property 'number'")])
  },
)

test('our clusters also pass the checks of the operator’s webhook', () => {
  for (const { metadata, spec } of clusterManifests()) {
    const {
      instances,
      imageName = ':18',
      bootstrap,
      postgresql,
    } = spec as {
      readonly instances: number
      readonly imageName?: string
      readonly bootstrap: { readonly initdb: Readonly<Record<string, unknown>> }
      readonly postgresql: { readonly synchronous: { readonly number: number }; readonly parameters: object }
    }
    // The webhook requires fewer synchronous standbys than instances, a tag with a version, and both names or none.
    expect(postgresql.synchronous.number, metadata.name).toBeLessThan(instances)
    expect(imageName).toMatch(/:\d+(?:\.\d+)?(?:-[\w-]+)?$/)
    expect(bootstrap.initdb).toMatchObject({ database: expect.any(String), owner: expect.any(String) })
    // Rules that only Kubernetes evaluates: a locale for the chosen provider.
    if (bootstrap.initdb.builtinLocale !== undefined) expect(bootstrap.initdb.localeProvider).toBe('builtin')
    expect(Object.values(postgresql.parameters).every((value) => typeof value === 'string')).toBe(true)
  }
})
