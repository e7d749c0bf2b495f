/**
 * npm run simulator                Cloudflare
 * npm run simulator -- NAME [...]  another one, with its own options
 */
const simulators = {
  cloudflare: () => import('./cloudflare.ts'),
  providers: () => import('./providers.ts'),
  stripe: () => import('./stripe.ts'),
}

const names = Object.keys(simulators)
const [first = ''] = process.argv.slice(2)
const isNamed = !first.startsWith('-') && first !== ''
const name = isNamed ? first : 'cloudflare'

if (isSimulator(name)) {
  // A simulator reads its options as if it had been started directly.
  if (isNamed) process.argv.splice(2, 1)
  await simulators[name]()
} else {
  process.stderr.write(`There is no simulator named ${name}. Choose one of: ${names.join(', ')}.\n`)
  process.exitCode = 2
}

function isSimulator(text: string): text is keyof typeof simulators {
  return names.includes(text)
}
