import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences under which the product may be passed on as it is. Another one stops the release until it was read. */
const licences = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Unlicense'],
  ...['PostgreSQL', 'CC0-1.0', 'Python-2.0', 'Zlib'],
])

/**
 * Makes the files that belong to a release in the folder, and returns what is to be said about them. Only the image may be absent: it
 * needs buildah and its base image.
 */
export function makeArtifacts(version, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const node = (...args) =>
    execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] })
  node('scripts/package.js', folder)
  node('scripts/key-check.js', folder)
  node('scripts/libraries.js', folder)
  const sbom = node('tools/release/sbom.js')
  writeFileSync(join(folder, `muster-${version}.cdx.json`), sbom)
  copyFileSync('openapi.json', join(folder, `muster-${version}.openapi.json`))
  writeFileSync(join(folder, 'licences.txt'), licenceReport(JSON.parse(sbom)))
  const audit = spawnSync(process.execPath, ['scripts/audit.js'], { encoding: 'utf8' })
  writeFileSync(join(folder, 'audit.txt'), audit.stdout)
  const notes = ['', '-database-url'].map((flavour) => makeImage(version, folder, flavour))
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder))
  return [...audit.stdout.trim().split('\n'), ...notes]
}

/** A line for each component, by the list of components, and the texts of what is bundled. */
function licenceReport({ components }) {
  const rows = components.map(({ name, version, licenses = [] }) => {
    const ids = licenses.map(({ license, expression }) => expression ?? license.id ?? license.name)
    return { component: `${name} ${version}`, ids: ids.length > 0 ? ids : ['unknown'] }
  })
  const unread = rows.filter(
    ({ ids }) => !ids.every((id) => id.split(/ OR | AND |[()]/).every((one) => one === '' || licences.has(one))),
  )
  if (unread.length > 0)
    throw new Error(
      `Read these licences first: ${unread.map(({ component, ids }) => `${component}: ${ids}`).join('; ')}`,
    )
  const texts = ['dist/bundle/licences.txt', 'console/dist/licences.md'].map((path) => readFileSync(path, 'utf8'))
  return [rows.map(({ component, ids }) => `${component}: ${ids.join(', ')}`).join('\n'), ...texts].join('\n\n')
}

/** MUSTER_NODE_IMAGE names another base image than the Containerfile, such as one of a registry of your own. */
function makeImage(version, folder, flavour) {
  const tag = `muster:${version}${flavour}`
  const file = `muster-${version}${flavour}.image.tar`
  const base = process.env.MUSTER_NODE_IMAGE
  const values = [
    `REVISION=${git('rev-parse', 'HEAD')}`,
    `EMBEDDED=${flavour === ''}`,
    ...(base ? [`NODE_IMAGE=${base}`] : []),
  ]
  const args = ['build', '--isolation', 'chroot', '--format', 'docker', '--timestamp', '0', '-q']
  const from = ['--file', 'deploy/Containerfile', '--ignorefile', 'deploy/Containerfile.dockerignore', '--tag', tag]
  const build = spawnSync('buildah', [...args, ...from, ...values.flatMap((value) => ['--build-arg', value]), '.'], {
    encoding: 'utf8',
  })
  if (build.error) return `${file}: not made, buildah is not installed`
  if (build.status !== 0) return `${file}: NOT MADE: ${build.stderr.trim().split('\n').at(-1)}`
  execFileSync('buildah', ['push', '-q', tag, `docker-archive:${join(folder, file)}:${tag}`])
  return `${file}: made`
}

/** As `sha256sum --check` reads them. */
function checksums(folder) {
  return readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
