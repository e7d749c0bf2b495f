import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listSettings } from '../src/config.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const asvs = readFileSync(join(root, 'docs/security/asvs.md'), 'utf8')
const advisories = readFileSync(join(root, 'docs/security/advisories.md'), 'utf8')
/** The requirements of the standard by level. */
const requirements: Readonly<Record<'level1' | 'level2', readonly string[]>> = JSON.parse(
  readFileSync(join(root, 'test/asvs.json'), 'utf8'),
)

test('docs/security/asvs.md has each requirement of its levels once, and no other', () => {
  const found = rowsOf(asvs).map(([number, level]) => `${number} of level ${level}`)
  const wanted = [
    ...requirements.level1.map((number) => `${number} of level 1`),
    ...requirements.level2.map((number) => `${number} of level 2`),
  ]
  expect(found.sort()).toEqual(wanted.sort())
})

test('docs/security/asvs.md names source and test of what is met, a reason for the rest, and the correct totals', () => {
  const counts: Record<string, number> = { met: 0, 'not applicable': 0, 'not met': 0 }
  for (const [number, , , state = '', text = ''] of rowsOf(asvs)) {
    expect(Object.keys(counts), number).toContain(state)
    counts[state] = (counts[state] ?? 0) + 1
    expect(text, number).not.toBe('')
    if (state !== 'met') continue
    expect(
      filesIn(text).some((file) => !isTest(file)),
      `${number} names its source`,
    ).toBe(true)
    expect(filesIn(text).some(isTest), `${number} names its test`).toBe(true)
  }
  expect(asvs).toContain(
    `${counts.met} are met, ${counts['not applicable']} are not applicable, ${counts['not met']} are not met.`,
  )
})

test('docs/security/advisories.md has each advisory once, with a test or a reason, and the correct total', () => {
  const found = rowsOf(advisories)
  const ids = found.map(
    ([id = '']) => /^\[((?:CVE-\d{4}-\d{4,}|GHSA(?:-[2-9cfghjmpqrvwx]{4}){3}))\]/.exec(id)?.[1] ?? `no id: ${id}`,
  )
  expect(ids.filter((id, at) => id.startsWith('no id') || ids.indexOf(id) !== at)).toEqual([])
  for (const [id, , , , text = ''] of found)
    expect(filesIn(text).some(isTest) || /^no test: ./.test(text), id).toBe(true)
  expect(advisories).toContain(`: ${ids.length} published advisories`)
})

test.each(Object.entries({ asvs, advisories }))(
  'every test named in docs/security/%s.md exists with this title',
  (_, page) => {
    expect(missingTests(page)).toEqual([])
  },
)

test('docs/security/inventory.md names every secret setting, and only tables that exist', () => {
  const inventory = readFileSync(join(root, 'docs/security/inventory.md'), 'utf8')
  for (const { name, isSecret } of listSettings()) if (isSecret) expect(inventory, name).toContain(`\`${name}\``)
  const migrations = readdirSync(join(root, 'migrations')).map((file) =>
    readFileSync(join(root, 'migrations', file), 'utf8'),
  )
  for (const [, table = ''] of inventory.matchAll(/\btable `(\w+)`/g))
    expect(
      migrations.some((sql) => new RegExp(`create (unlogged )?table ${table} `).test(sql)),
      table,
    ).toBe(true)
})

/** The cells of each table row whose first cell is a number or an id. */
function rowsOf(page: string): readonly string[][] {
  return [...page.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(' | '))
    .filter(([first = '']) => /\d/.test(first))
}

function filesIn(text: string): string[] {
  return [
    ...text.matchAll(/`((?:src|embedded|key-check|console|pages|cli|scripts|test|migrations)\/[^`\s]+\.[a-z]+)`/g),
  ].map(([, file = '']) => file)
}

function isTest(file: string): boolean {
  return /^((embedded|key-check)\/)?test\//.test(file)
}

/** Tests written as ``test/folder/file.test.ts`: “title”`. */
function missingTests(page: string): string[] {
  const named = [...page.matchAll(/`((?:(?:embedded|key-check)\/)?test\/[^`\s]+)`(?:: “([^”]+)”)?/g)]
  expect(named.length).toBeGreaterThan(0)
  return named.flatMap(([, file = '', title]) => {
    const text = readFileSync(join(root, file), 'utf8')
    const isThere = title === undefined || ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`))
    return isThere ? [] : [`${file}: ${title}`]
  })
}
