import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The licences of the bundled packages, with their texts, which most licences require in every copy. `moduleIds` are
 * the paths of the bundled files.
 */
export function licenceTexts(moduleIds) {
  const folders = new Set(moduleIds.flatMap(packageFolder))
  const entries = [...folders].map((folder) => ({ folder, ...manifestOf(folder) }))
  entries.sort((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'))
  const sections = entries.map(({ folder, name, version, license }) =>
    [`${name} ${version}: ${license}`, ...textsIn(folder)].join('\n\n'),
  )
  return `The bundle of Muster contains code of these packages.\n\n${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** The folder of the package that contains a file; undefined for the repository's own. */
function packageFolder(id) {
  const found = /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id)
  return found ? [found[1]] : []
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Some packages name their licence only in the manifest. */
function textsIn(folder) {
  return readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
}
