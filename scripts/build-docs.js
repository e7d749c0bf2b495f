// Builds the documentation into docs/.vitepress/dist when a page, its configuration or the version is newer than the last build.
// docs/decisions/documentation-site.md
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'

const root = fileURLToPath(new URL('..', import.meta.url))
const result = 'docs/.vitepress/dist/hashmap.json'
const folders = ['docs', 'deploy']
const files = ['CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'client/README.md', 'react/README.md']
const others = ['key-check/README.md', 'test/mutation.md', 'package.json', 'package-lock.json', 'scripts/build-docs.js']

const sources = [...folders.flatMap(filesOf), ...files, ...others]
if (Math.max(...sources.map(changedAt)) > changedAt(result)) await build(join(root, 'docs'))

function filesOf(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((path) => !/\.vitepress\/(dist|cache)/.test(path))
}

function changedAt(file) {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
}
