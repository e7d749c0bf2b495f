import { Bumper } from 'conventional-recommended-bump'

/** The types of commits that a user notices. Other types are listed only if the commit breaks something. */
const headings = { feat: 'Added', perf: 'Changed', fix: 'Fixed' }

/**
 * The version that the Conventional Commits since `lastTag` require, and their notes: lines by the heading of Keep a Changelog. Without a
 * tag nothing was released yet: the version is the current one, and no user has seen what the commits changed. Before 1.0 a breaking change
 * raises the minor version.
 */
export async function nextRelease(current, lastTag) {
  const bumper = new Bumper().loadPreset({ name: 'conventionalcommits' })
  const { commits, releaseType } = await bumper.commits({ from: lastTag }).bump()
  if (commits.length === 0) throw new Error(`There is no commit since ${lastTag}.`)
  if (lastTag === '') return { version: current, notes: {} }
  return { version: raised(current, releaseType), notes: notesOf(commits) }
}

function notesOf(commits) {
  const notes = {}
  for (const { type, scope, subject, notes: breaking } of commits) {
    const heading = breaking.length > 0 ? 'Changed' : headings[type]
    if (!heading) continue
    const sentences =
      breaking.length > 0 ? breaking.map(({ text }) => `**Breaking:** ${sentence(text)}`) : [sentence(subject)]
    notes[heading] ??= []
    notes[heading].push(...sentences.map((text) => `- ${text}${scope ? ` (${scope})` : ''}`))
  }
  return notes
}

function sentence(text) {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}${/[.!?]$/.test(plain) ? '' : '.'}`
}

function raised(version, type) {
  const [major, minor, patch] = version.split('.').map(Number)
  if (type === 'major' && major > 0) return `${major + 1}.0.0`
  if (type === 'patch') return `${major}.${minor}.${patch + 1}`
  return `${major}.${minor + 1}.0`
}
