/**
 * Makes a release of what was committed: the version, the section of CHANGELOG.md, sbom.cdx.json, one commit and the tag vX.Y.Z. It
 * pushes nothing and needs no network. npm run release [-- --dry-run] only prints the version and its notes.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sectionOf, withRelease } from './release/changelog.js'
import { nextRelease } from './release/next-release.js'
import { readVersion, versionFiles, writeVersion } from './release/version.js'

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const isDryRun = values['dry-run']
const auditProgram = fileURLToPath(new URL('audit.js', import.meta.url))

try {
  await release()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function release() {
  if (!isDryRun && git('status', '--porcelain') !== '')
    throw new Error('Commit your changes first: the tree is not clean.')
  // Known vulnerabilities and foreign packages stop a release; without a network both checks say that they did not run.
  if (!isDryRun) execFileSync(process.execPath, [auditProgram], { stdio: 'inherit' })
  const tags = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-v:refname').split('\n')
  const { version, notes } = await nextRelease(readVersion(), tags[0] ?? '')
  const date = new Date().toISOString().slice(0, 10)
  const changelog = withRelease(readFileSync('CHANGELOG.md', 'utf8'), { version, date, notes })
  const section = sectionOf(changelog, version)
  process.stdout.write(`Release v${version}\n\n${section}\n`)
  if (isDryRun) return

  writeFileSync('CHANGELOG.md', changelog)
  writeVersion(version)
  // openapi.json names the version.
  execFileSync('npm', ['run', '--silent', 'generate'], { stdio: 'ignore' })
  // For the test that later migrations leave a schema with which nodes of this release work.
  const statements = `test/releases/${version}.json`
  mkdirSync('test/releases', { recursive: true })
  const program = ['--import', './scripts/statement-registry.mjs', 'scripts/statements.ts']
  writeFileSync(statements, execFileSync(process.execPath, program))
  execFileSync(process.execPath, ['scripts/sbom.js'])
  git('add', 'CHANGELOG.md', 'openapi.json', 'sbom.cdx.json', statements, ...versionFiles)
  git('commit', '--message', `chore(release): v${version}`)
  // Without this clean-up, git would take the headings of the notes for comments.
  git('tag', '--annotate', `v${version}`, '--cleanup=whitespace', '--message', `Muster ${version}\n\n${section}`)
  process.stdout.write(`\nCommitted and tagged. Publish it with: git push --follow-tags\n`)
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
