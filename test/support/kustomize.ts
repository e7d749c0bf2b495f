import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

/** What `kubectl kustomize` prints, as far as deploy/kubernetes uses it: resources, a namespace, images and JSON patches. */
export function buildKustomization(folder: string): readonly Manifest[] {
  const { resources = [], namespace, images = [], patches = [], ...others } = readKustomization(folder)
  const unknown = Object.keys(others).filter((name) => !['apiVersion', 'kind'].includes(name))
  if (unknown.length > 0) throw new Error(`${folder}: this knows nothing of ${unknown.join(', ')}`)
  const manifests = resources.flatMap((path) => manifestsAt(join(folder, path)))
  for (const { target, patch } of patches)
    for (const manifest of manifests.filter(
      ({ kind, metadata }) => kind === target.kind && metadata.name === target.name,
    ))
      for (const operation of parse(patch)) applyPatch(manifest, operation)
  for (const manifest of manifests)
    if (namespace && manifest.kind !== 'Namespace') manifest.metadata.namespace = namespace
  return manifests.map((manifest) => withImages(manifest, images))
}

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; namespace?: string }
  readonly [member: string]: unknown
}

interface Image {
  readonly name: string
  readonly newName: string
  readonly newTag: string
}

interface Kustomization {
  readonly resources?: readonly string[]
  readonly namespace?: string
  readonly images?: readonly Image[]
  readonly patches?: readonly {
    readonly target: { readonly kind: string; readonly name: string }
    readonly patch: string
  }[]
}

function readKustomization(folder: string): Kustomization {
  return parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'))
}

function manifestsAt(path: string): readonly Manifest[] {
  if (existsSync(join(path, 'kustomization.yaml'))) return buildKustomization(path)
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors}`)
    return document.toJS()
  })
}

/** RFC 6902 `add`, `replace` and `remove`. */
function applyPatch(
  manifest: unknown,
  { op, path, value }: { readonly op: string; readonly path: string; readonly value?: unknown },
): void {
  const steps = path.slice(1).split('/')
  const last = steps.pop() ?? ''
  // Members of YAML by their names: there is no type for them.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const parent = steps.reduce((part: any, step) => part[step], manifest)
  if (op !== 'add' && !(last in parent)) throw new Error(`There is nothing at ${path}`)
  if (op === 'remove') delete parent[last]
  else if (op === 'add' && last === '-') parent.push(value)
  else parent[last] = value
}

function withImages(manifest: Manifest, images: readonly Image[]): Manifest {
  const revived = (name: string, value: unknown) => {
    const found = images.find((image) => name === 'image' && String(value).startsWith(`${image.name}:`))
    return found ? `${found.newName}:${found.newTag}` : value
  }
  return JSON.parse(JSON.stringify(manifest), revived)
}
