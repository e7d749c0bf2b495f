/**
 * Writes sbom.cdx.json: what a production installation consists of, by the lock file, as CycloneDX. npm makes it without a network.
 * node scripts/sbom.js
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const flags = ['--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev']
const sbom = JSON.parse(
  execFileSync('npm', ['sbom', ...flags], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
)
// The same lock file gives the same bytes, in every folder and at every time.
delete sbom.serialNumber
delete sbom.metadata.timestamp
sbom.metadata.component.name = JSON.parse(readFileSync('package.json', 'utf8')).name
writeFileSync('sbom.cdx.json', `${JSON.stringify(sbom, null, 2)}\n`)
