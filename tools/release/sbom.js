/**
 * Prints the content of a production installation as CycloneDX, from the lock file. npm creates it without a network. node
 * tools/release/sbom.js
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Development dependencies whose code is in the shipped package: the console, and the script of /docs. */
const inBrowser = [
  '@base-ui/react',
  '@fastify/swagger-ui',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-virtual',
  'react',
  'react-dom',
]

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const sbom = made('--omit=dev')
const all = made()
const names = new Set(sbom.components.map((component) => component['bom-ref']))
const added = reachable(inBrowser.map((name) => `${name}@${manifest.devDependencies[name]}`)).filter(
  (ref) => !names.has(ref),
)
sbom.components.push(...added.map(shipped))
sbom.dependencies.push(...all.dependencies.filter(({ ref }) => added.includes(ref)))
// The same lock file gives the same bytes, in every folder and at every time.
delete sbom.serialNumber
delete sbom.metadata.timestamp
sbom.metadata.component.name = manifest.name
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`)

function made(...flags) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...flags]
  return JSON.parse(
    execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 }),
  )
}

/** These and their dependencies, in the order of discovery. */
function reachable(refs) {
  const found = new Set(refs)
  for (const ref of found) {
    const { dependsOn = [] } = all.dependencies.find((entry) => entry.ref === ref) ?? {}
    // Only Swagger UI's browser files are shipped, and no types.
    if (ref.startsWith('@fastify/swagger-ui@')) continue
    for (const one of dependsOn) if (!one.startsWith('@types/')) found.add(one)
  }
  return [...found]
}

/** npm marks it as a development dependency, but its code is shipped. */
function shipped(ref) {
  const { scope: _, properties = [], ...component } = all.components.find((entry) => entry['bom-ref'] === ref) ?? {}
  if (!component.name) throw new Error(`${ref} is used in the browser and is not in the lock file.`)
  return { ...component, properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development') }
}
