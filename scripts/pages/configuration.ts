import { listSettings } from '../../src/config.ts'
import type { Setting } from '../../src/platform/settings.ts'

/** The text of docs/configuration.md: every setting. */
export function configurationPage(): string {
  return `# Configuration

Generated from \`src/config.ts\` by \`npm run generate\`. The service reads its settings from the environment, once, at the start. An empty value counts as
unset. A wrong value stops the start, with one line for each wrong value; \`npx muster doctor\` checks them without a start. A
setting marked as secret may come from a file instead: \`<NAME>_FILE\` is its path.

| setting | default | meaning |
|---|---|---|
${listSettings().map(row).join('\n')}
`
}

function row({ name, fallback, meaning, isSecret }: Setting): string {
  return `| \`${name}\`${isSecret ? ' (secret)' : ''} | ${fallback === '' ? '–' : `\`${fallback}\``} | ${meaning} |`
}
