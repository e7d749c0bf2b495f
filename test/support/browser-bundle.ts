import { rolldown } from 'rolldown'

/** The module and all that it imports, but what is external, as one minified module for browsers. */
export async function browserBundle(input: string, external: readonly (string | RegExp)[] = []): Promise<string> {
  const bundle = await rolldown({
    input,
    external: [...external],
    platform: 'browser',
    transform: { jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output[0].code
}
