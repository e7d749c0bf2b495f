/**
 * Makes a release of the committed state: the version, the section in CHANGELOG.md, the records in test/releases, one commit and the tag
 * vX.Y.Z; then its files in dist/release/vX.Y.Z. Pushes nothing, and needs no network once the tools are installed.
 * docs/decisions/releases.md npm run release -- [--dry-run] [--version X.Y.Z] [--no-files]
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeArtifacts } from './release/artifacts.js'
import { sectionOf, withRelease } from './release/changelog.js'
import { changesSinceRelease, recordRelease } from './release/record.js'
import { readVersion, textFiles, versionFiles, writeVersion } from './release/version.js'
import { installTools } from './run.ts'

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, version: { type: 'string' }, 'no-files': { type: 'boolean' } },
})
const isDryRun = values['dry-run']
const auditProgram = fileURLToPath(new URL('../scripts/audit.js', import.meta.url))

try {
  await release()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function release() {
  installTools()
  const { nextRelease } = await import('./release/next-release.js')
  if (!isDryRun && git('status', '--porcelain') !== '')
    throw new Error('Commit your changes first: the tree is not clean.')
  // Known vulnerabilities and foreign packages stop a release. Without a network both checks say that they did not run.
  if (!isDryRun) execFileSync(process.execPath, [auditProgram], { stdio: 'inherit' })
  const tags = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-v:refname').split('\n')
  const next = await nextRelease(readVersion(), tags[0] ?? '')
  const { notes } = next
  const version = chosenVersion(next.version)
  checkContract(version)
  const date = new Date().toISOString().slice(0, 10)
  const changelog = withRelease(readFileSync('CHANGELOG.md', 'utf8'), { version, date, notes })
  const section = sectionOf(changelog, version)
  process.stdout.write(`Release v${version}\n\n${section}\n`)
  if (isDryRun) return

  writeFileSync('CHANGELOG.md', changelog)
  writeVersion(version)
  // openapi.json contains the version.
  execFileSync('npm', ['run', '--silent', 'generate'], { stdio: 'ignore' })
  const records = recordRelease(version)
  git('add', 'CHANGELOG.md', 'openapi.json', ...records, ...versionFiles, ...textFiles)
  git('commit', '--message', `chore(release): v${version}`)
  // Before the tag, from the commit: a failed build stops the release.
  const folder = `dist/release/v${version}`
  const said = values['no-files'] ? [] : makeArtifacts(version, folder)
  // Otherwise git would strip the headings of the notes as comments.
  git('tag', '--annotate', `v${version}`, '--cleanup=whitespace', '--message', `Muster ${version}\n\n${section}`)
  if (said.length > 0) process.stdout.write(`\n${said.join('\n')}\nThe files of the release are in ${folder}.\n`)
  process.stdout.write('\nCommitted and tagged. Publish it with: git push --follow-tags\n')
}

/** Another version than the commits require, such as the first 1.0.0. It may only be higher. */
function chosenVersion(next) {
  const { version = next } = values
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is not a version such as 1.0.0.`)
  if (version.localeCompare(next, 'en', { numeric: true }) < 0)
    throw new Error(`The commits since the last release require ${next}, and ${version} is lower.`)
  return version
}

/** A change that clients notice must be intended, and requires a new major version (before 1.0 a minor one). */
function checkContract(version) {
  const { version: last, changes, areSomeIntended } = changesSinceRelease()
  if (last === undefined) return
  if (changes.length > 0)
    throw new Error(
      `Clients of ${last} would notice, and test/releases/intended-changes.txt does not name:\n${changes.join('\n')}`,
    )
  const [major, minor] = version.split('.')
  const [lastMajor, lastMinor] = last.split('.')
  if (areSomeIntended && major === lastMajor && (major !== '0' || minor === lastMinor))
    throw new Error(`Clients of ${last} would notice changes of the contract: ${version} is too low.`)
  process.stdout.write(
    `The contract is compatible with that of ${last}${areSomeIntended ? ', except for intended changes' : ''}.\n\n`,
  )
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
