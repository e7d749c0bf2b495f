import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pages as navigated } from '../docs/navigation.ts'
import { builtFiles } from '../scripts/generated-files.ts'
import { UsersQuery } from '../src/users/list-contract.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const index = 'docs/README.md'
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'client/README.md',
  'react/README.md',
  'key-check/README.md',
  'embedded/README.md',
  ...markdownUnder('docs'),
]

test('docs/README.md and docs/navigation.ts list every page under docs once', () => {
  const linked = linksOf(index).map(({ file }) => file)
  const timesIn = (list: readonly string[], page: string) => list.filter((entry) => entry === page).length
  for (const page of markdownUnder('docs')) {
    if (page !== index) expect(timesIn(linked, page), `${page} in ${index}`).toBe(1)
    expect(timesIn(navigated, page), `${page} in docs/navigation.ts`).toBe(1)
  }
})

test.each(pages)('every relative link and anchor of %s has a target', (page) => {
  for (const { target, file, anchor } of linksOf(page)) {
    expect(existsSync(join(root, file)), `${page}: ${target}`).toBe(true)
    if (anchor !== '' && file.endsWith('.md')) expect(anchorsOf(file), `${page}: ${target}`).toContain(anchor)
  }
})

test.each(pages)('every file named in %s exists', (page) => {
  const made = new Set(createdBy(page))
  for (const path of pathsNamedIn(page))
    if (!made.has(path)) expect(existsSync(join(root, path)), `${page} names ${path}`).toBe(true)
})

test.each(
  Object.keys(builtFiles).filter((path) =>
    path.endsWith('%s states at its top that `npm run generate` writes it, and so does the index'),
  ),
)('%s says at its top that `npm run generate` writes it, and the index says so as well', (page) => {
  const top = textOf(page).split('\n').slice(0, 5).join('\n')
  expect(top).toMatch(/^Generated from .*`npm run generate`/ms)
  const line = textOf(index)
    .split('\n')
    .find((row) => row.includes(`(${relative('docs', page)})`))
  expect(line).toContain('(generated)')
})

test('the map in CONTRIBUTING.md names every folder', () => {
  const [, map = ''] = /\n## The map\n(.*?)\n## /s.exec(textOf('CONTRIBUTING.md')) ?? []
  for (const entry of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    const place = `src/${entry.name}${entry.isDirectory() ? '/' : ''}`
    expect(map, place).toContain(`\`${place}\``)
  }
})

test('docs/administration.md documents exactly the parameters of the user list', () => {
  const [, section = ''] = /\n## The list\n(.*?)\n## /s.exec(textOf('docs/administration.md')) ?? []
  const documented = [...section.matchAll(/^\| `(\w+)(?:=\w+)?` +\|/gm)].map(([, parameter]) => parameter)
  expect(documented.sort()).toEqual(Object.keys(UsersQuery.properties).sort())
})

function markdownUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join(folder, path))
    .sort()
}

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

/** Without fenced blocks, which contain programs and output. */
function proseOf(page: string): string {
  return textOf(page).replaceAll(/^( *)(`{3,})[^\n]*\n.*?^\1\2 *$/gms, '')
}

/** Relative links, with their target file relative to the root of the repository. */
function linksOf(page: string): { target: string; file: string; anchor: string }[] {
  return [
    ...proseOf(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^([a-z]+:|\/)/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#')
      const file = path === '' ? page : relative(root, resolve(root, dirname(page), path))
      return { target, file, anchor }
    })
}

/** As on GitHub: a repeated heading gets the suffix `-1`. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = plain.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-')
    let anchor = slug
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`
    anchors.add(anchor)
  }
  return anchors
}

const folders =
  'src|test|cli|embedded|bench|scripts|migrations|simulators|docs|lists|mails|pages|deploy|client|react|console'

/** Files and folders named in inline code. Names with a placeholder (`<id>`, `…`, `*`) are patterns and ignored. */
function pathsNamedIn(page: string): string[] {
  return [...proseOf(page).matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => [...code.matchAll(new RegExp(`(?<![\\w./-])(?:${folders})/[^\\s:,;()]+`, 'g'))])
    .map(([path]) => path.replace(/[./]+$/, ''))
    .filter((path) => !/[<>{}*…$]/.test(path))
}

/** Files that a page tells the reader to create: ``Create `path`:``, or `// path` as the first line of a block. */
function createdBy(page: string): string[] {
  const text = textOf(page)
  return [...text.matchAll(/\bCreate `([^`]+)`/gm), ...text.matchAll(/^`{3,}\w+\n\/\/ (\S+)\n/gm)].map(
    ([, path = '']) => path,
  )
}
