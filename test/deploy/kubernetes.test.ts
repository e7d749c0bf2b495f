import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { packageVersion } from '../../src/platform/package-root.ts'
import { buildKustomization, type Manifest } from '../support/kustomize.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'deploy/kubernetes')
const overlays = readdirSync(join(folder, 'overlays'))
const built = new Map(
  ['base', ...overlays.map((name) => `overlays/${name}`)].map((path) => [path, buildKustomization(join(folder, path))]),
)

/** Where `kubernetes-types` declares a kind. The declarations are generated from the OpenAPI document of Kubernetes. */
const modules: Readonly<Record<string, string>> = { v1: 'core/v1', 'networking.k8s.io/v1': 'networking/v1' }
/** Kinds of other products: see test/deploy/cloudnative-pg.test.ts. */
const foreign = new Set(['postgresql.cnpg.io/v1'])

test('every overlay matches the published types of Kubernetes, and an invalid manifest does not', () => {
  const manifests = [...built.values()].flat().filter(({ apiVersion }) => !foreign.has(apiVersion))
  const deployment = manifests.find(({ kind }) => kind === 'Deployment')
  if (!deployment) throw new Error('there is no Deployment')
  const spec = deployment.spec as object
  const broken = [
    { ...deployment, spec: { ...spec, replica: 2 } },
    { ...deployment, spec: { ...spec, replicas: '2' } },
    { ...deployment, spec: { ...spec, selector: undefined } },
  ]
  // One program for all, because loading the types takes seconds. Errors appear only for the invalid manifests.
  expect(faultsOf([...manifests, ...broken])).toEqual([
    [manifests.length, expect.stringContaining(`'"replica"' does not exist`)],
    [manifests.length + 1, expect.stringContaining("'string' is not assignable to type 'number'")],
    [manifests.length + 2, expect.stringContaining("'selector' is missing")],
  ])
  expect([...new Set(manifests.map(({ kind }) => kind))].sort()).toEqual([
    'Deployment',
    'HorizontalPodAutoscaler',
    'Namespace',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'ServiceAccount',
  ])
}, 60_000)

/**
 * Writes each manifest as a literal of its type on a separate line, so that the compiler reports unknown members.
 * Returns index and error.
 */
function faultsOf(manifests: readonly Manifest[]): readonly (readonly [number, string])[] {
  const path = join(root, 'test/manifests.ts')
  const lines = manifests.map((manifest, index) => {
    const from = modules[manifest.apiVersion] ?? manifest.apiVersion
    const type = `import('kubernetes-types/${from}').${manifest.kind}`
    return `export const m${index}: ${type} = ${JSON.stringify(manifest)}`
  })
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (name, version) =>
    name === path ? ts.createSourceFile(name, lines.join('\n'), version) : read(name, version)
  host.fileExists = (name) => name === path || ts.sys.fileExists(name)
  const program = ts.createProgram([path], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start = 0 }) => {
    const index = file?.getLineAndCharacterOfPosition(start).line ?? -1
    return [index, ts.flattenDiagnosticMessageText(messageText, ' ')]
  })
}

test('every object has a unique name and no member set by the server, so that applying it again changes nothing', () => {
  for (const [path, manifests] of built) {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`)
    expect(new Set(names).size, path).toBe(names.length)
    for (const { kind, metadata, status } of manifests) {
      expect(
        Object.keys(metadata).filter((name) => !['name', 'namespace', 'labels', 'annotations'].includes(name)),
      ).toEqual([])
      expect(metadata.name, kind).toBeTruthy()
      expect(status).toBeUndefined()
    }
    expect(buildKustomization(join(folder, path))).toEqual(manifests)
  }
})

test.runIf(spawnSync('kubectl', ['version', '--client']).status === 0)(
  'kubectl builds every overlay to the same manifests',
  () => {
    for (const [path, manifests] of built) {
      const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(folder, path)], { encoding: 'utf8' })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const theirs: Manifest[] = parseAllDocuments(stdout).map((document) => document.toJS())
      expect(sorted(theirs)).toEqual(sorted(manifests))
    }
  },
  60_000,
)

function sorted(manifests: readonly Manifest[]): readonly Manifest[] {
  const keyOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`
  return [...manifests].sort((one, other) => keyOf(one).localeCompare(keyOf(other), 'en'))
}

test('an overlay changes only the image and named settings, and keeps the security settings of the base', () => {
  for (const [path, manifests] of built) {
    const [deployment] = manifests.filter(({ kind }) => kind === 'Deployment')
    const text = JSON.stringify(deployment)
    expect(text, path).toContain('"readOnlyRootFilesystem":true')
    expect(text, path).toContain('"runAsNonRoot":true')
    expect(
      manifests.map(({ kind }) => kind),
      path,
    ).toEqual(expect.arrayContaining(['PodDisruptionBudget', 'NetworkPolicy']))
  }
  const example = JSON.stringify(built.get('overlays/example'))
  expect(example).toContain(`"image":"registry.example.com/team/muster:${packageVersion()}-database-url"`)
  expect(example).toContain('{"name":"MUSTER_PUBLIC_URL","value":"https://accounts.example.com"}')
  expect(example).toContain('{"name":"MUSTER_TRUSTED_PROXIES","value":"10.42.0.0/16"}')
  // The autoscaler alone sets the number of pods, and never below the disruption budget.
  const scaled = built.get('overlays/autoscaling') ?? []
  expect(scaled.find(({ kind }) => kind === 'Deployment')?.spec).not.toHaveProperty('replicas')
  expect(scaled.find(({ kind }) => kind === 'HorizontalPodAutoscaler')?.spec).toMatchObject({ minReplicas: 2 })
})

test('with CloudNativePG, the operator’s secrets are mounted, and their names match the documented URL', () => {
  const list = built.get('overlays/cloudnative-pg') ?? []
  const cluster = list.find(({ kind }) => kind === 'Cluster')
  expect(cluster?.spec).toMatchObject({ instances: 3, bootstrap: { initdb: { database: 'muster', owner: 'muster' } } })
  const name = cluster?.metadata.name
  const text = JSON.stringify(list.find(({ kind }) => kind === 'Deployment'))
  expect(text).toContain(`"secretName":"${name}-ca"`)
  expect(text).toContain('"mountPath":"/run/secrets/database-ca"')
  const url = `@${name}-rw/muster?sslmode=verify-full&sslrootcert=/run/secrets/database-ca/ca.crt`
  const head = readFileSync(join(folder, 'overlays/cloudnative-pg/kustomization.yaml'), 'utf8')
  const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8')
  for (const place of [head, page]) expect(place).toContain(url)
})
