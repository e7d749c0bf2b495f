// Mutates a file or folder of the sources, and lists the mutants that its tests do not detect:
// npm run mutate -- src/users test/users test/http/admin/users
import { runTool } from './run.ts'

const [given = '', ...named] = process.argv.slice(2)
const sources = given.replace(/\/$/, '')
if (!/^(src|key-check)\//.test(sources))
  throw new Error('Name a folder or a file of the sources: npm run mutate -- src/users')
const isFile = sources.endsWith('.ts')
const folder = isFile ? sources.slice(0, sources.lastIndexOf('/')) : sources
const tests = named.length > 0 ? named : [folder.replace('src/', 'test/').replace('key-check/', 'key-check/test/')]
process.exitCode = runTool(
  '@stryker-mutator/core',
  ['run', 'tools/stryker.json', '--mutate', isFile ? sources : `${sources}/**/*.ts`],
  { MUSTER_TEST_FOLDERS: tests.join() },
)
