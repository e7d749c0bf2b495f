// Builds the documentation site into dist/guide: npm run docs. `npm run docs -- dev` shows the pages while you write them.
import { runTool } from './run.ts'

const [command = 'build'] = process.argv.slice(2)
process.exitCode = runTool('vitepress', [command, 'tools'])
