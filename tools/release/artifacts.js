import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that allow distributing the product. Any other licence stops the release for a review. */
const licences = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Unlicense'],
  ...['PostgreSQL', 'CC0-1.0', 'Python-2.0', 'Zlib'],
])

/**
 * Creates the files of a release in the folder, and returns messages about them. Only the image may be missing: it needs buildah and its
 * base image.
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

/** One line per component, from the list of components, and the texts of the bundled licences. */
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

/** MUSTER_NODE_IMAGE replaces the base image in the Containerfile, for example with one of your own registry. */
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

/** The format of `sha256sum --check`. */
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
