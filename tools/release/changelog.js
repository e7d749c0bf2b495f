const order = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
const unreleased = '## [Unreleased]'

/**
 * The changelog with a section for the release. The handwritten text under Unreleased comes first, then the notes from the commits, under
 * the same headings. Unreleased is emptied.
 */
export function withRelease(changelog, { version, date, notes }) {
  const start = changelog.indexOf(unreleased)
  if (start < 0) throw new Error(`CHANGELOG.md has no heading "${unreleased}".`)
  const end = nextSection(changelog, start + unreleased.length)
  const written = changelog.slice(start + unreleased.length, end).trim()
  const section = `## [${version}] - ${date}\n\n${merged(written, notes)}`
  return `${changelog.slice(0, start)}${unreleased}\n\n${section}\n${changelog.slice(end).replace(/^(?=#)/, '\n')}`
}

/** The section of a version, without its heading. */
export function sectionOf(changelog, version) {
  const start = changelog.indexOf(`## [${version}]`)
  const text = changelog.slice(start, nextSection(changelog, start + 1))
  return text.slice(text.indexOf('\n')).trim()
}

function nextSection(changelog, from) {
  const next = changelog.indexOf('\n## ', from)
  return next < 0 ? changelog.length : next + 1
}

/** `written` may start with sentences without a heading. */
function merged(written, notes) {
  const [before = '', ...parts] = written.split(/^### /m)
  const texts = new Map(parts.map((part) => [part.split('\n', 1).join(), part.slice(part.indexOf('\n')).trim()]))
  for (const [heading, lines] of Object.entries(notes))
    texts.set(heading, [texts.get(heading), ...lines].filter((text) => text !== undefined).join('\n'))
  const headings = [...texts.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return [before.trim(), ...headings.map((heading) => `### ${heading}\n\n${texts.get(heading)}`)]
    .filter(Boolean)
    .join('\n\n')
}
