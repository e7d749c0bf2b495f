import { listSettings } from '../../src/config.ts'
import type { Setting } from '../../src/platform/settings.ts'

/** The text of docs/configuration.md: every setting. */
export function configurationPage(): string {
  return `# Configuration

Generated from \`src/config.ts\`. Everything is read from the environment, once, at the start. An empty value counts as unset. A wrong
value stops the start, and all wrong values are told at once; \`npx muster doctor\` tells them without starting. Each setting marked
secret may also come from a file: \`<NAME>_FILE\` holds its path.

| setting | default | meaning |
|---|---|---|
${listSettings().map(row).join('\n')}
`
}

function row({ name, fallback, meaning, isSecret }: Setting): string {
  return `| \`${name}\`${isSecret ? ' (secret)' : ''} | ${fallback === '' ? '–' : `\`${fallback}\``} | ${meaning} |`
}
