// Mutates a file or folder of the sources, and lists the mutants that its tests do not detect: npm run mutate -- src/users
import { runTool } from './run.ts'

const sources = process.argv[2]?.replace(/\/$/, '') ?? ''
if (!/^(src|key-check)\//.test(sources))
  throw new Error('Name a folder or a file of the sources: npm run mutate -- src/users')
const isFile = sources.endsWith('.ts')
const tests = isFile ? sources.slice(0, sources.lastIndexOf('/')) : sources
process.exitCode = runTool(
  '@stryker-mutator/core',
  ['run', 'tools/stryker.json', '--mutate', isFile ? sources : `${sources}/**/*.ts`],
  { MUSTER_TEST_FILES: `${tests.replace('src/', 'test/').replace('key-check/', 'key-check/test/')}/**/*.test.ts` },
)
