import { Bumper } from 'conventional-recommended-bump'

/** What changed for a user, by the heading of Keep a Changelog under which it stands. */
export type Notes = Readonly<Partial<Record<Heading, readonly string[]>>>
export type Heading = 'Added' | 'Changed' | 'Fixed'

/** The types of commits that a user notices. Any other type is listed only where the commit breaks something. */
const headings: Readonly<Record<string, Heading>> = { feat: 'Added', perf: 'Changed', fix: 'Fixed' }

/**
 * The version that the Conventional Commits since `lastTag` ask for, and their notes. Without a tag nothing was released yet, and the
 * version is the current one. Before 1.0 a breaking change raises the second number.
 */
export async function nextRelease(current: string, lastTag: string): Promise<{ version: string; notes: Notes }> {
  const bumper = new Bumper().loadPreset({ name: 'conventionalcommits' })
  const result = await bumper.commits({ from: lastTag }).bump()
  if (result.commits.length === 0) throw new Error(`Nothing was committed since ${lastTag}.`)
  const type = 'releaseType' in result ? result.releaseType : 'patch'
  return { version: lastTag === '' ? current : raised(current, type), notes: notesOf(result.commits) }
}

type Commit = Awaited<ReturnType<Bumper['bump']>>['commits'][number]

function notesOf(commits: readonly Commit[]): Notes {
  const notes: Partial<Record<Heading, string[]>> = {}
  for (const commit of commits) {
    const { type, subject, notes: breaking } = commit
    const heading = breaking.length > 0 ? 'Changed' : headings[type ?? '']
    if (!heading) continue
    const texts = breaking.length > 0 ? breaking.map(({ text }) => text) : [subject ?? '']
    const mark = breaking.length > 0 ? '**Breaking:** ' : ''
    notes[heading] = [
      ...(notes[heading] ?? []),
      ...texts.map((text) => `- ${mark}${sentence(text)}${of(commit.scope)}`),
    ]
  }
  return notes
}

function sentence(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}${/[.!?]$/.test(plain) ? '' : '.'}`
}

function of(scope: string | null | undefined): string {
  return scope ? ` (${scope})` : ''
}

function raised(version: string, type: 'major' | 'minor' | 'patch'): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (type === 'major' && major > 0) return `${major + 1}.0.0`
  if (type === 'patch') return `${major}.${minor}.${patch + 1}`
  return `${major}.${minor + 1}.0`
}
