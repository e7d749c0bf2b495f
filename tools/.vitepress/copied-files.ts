import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { addressOfFile, copiedFiles } from '../../docs/navigation.ts'

/** Adds the files that readers copy to the site: in the build, and in the preview. */
export function copiedFilesPlugin(root: string, base: string): Plugin {
  const contents = new Map(copiedFiles.map((file) => [addressOfFile(file), join(root, file)]))
  return {
    name: 'muster:copied-files',
    generateBundle() {
      for (const [fileName, path] of contents) this.emitFile({ type: 'asset', fileName, source: readFileSync(path) })
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = contents.get(request.url?.replace(base, '') ?? '')
        if (path === undefined) next()
        else response.setHeader('content-type', 'text/plain; charset=utf-8').end(readFileSync(path))
      })
    },
  }
}
