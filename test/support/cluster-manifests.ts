import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { buildKustomization, type Manifest } from './kustomize.ts'

const root = new URL('../../', import.meta.url)

/** Every `Cluster` of CloudNativePG that we publish: of the overlay, and in docs/scaling.md. */
export function clusterManifests(): readonly Manifest[] {
  const overlay = buildKustomization(fileURLToPath(new URL('deploy/kubernetes/overlays/cloudnative-pg', root)))
  const page = readFileSync(new URL('docs/scaling.md', root), 'utf8')
  const blocks = [...page.matchAll(/^```yaml\n(apiVersion: postgresql\.cnpg\.io.*?)^```$/gms)].map(
    ([, text = '']): Manifest => parse(text),
  )
  return [...overlay.filter(({ kind }) => kind === 'Cluster'), ...blocks]
}
