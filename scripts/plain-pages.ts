/**
 * Renders the documentation into dist/pages, without the search and the theme of the site (`npm run docs`). The service
 * of a checkout sends it at /docs/guide.
 * node scripts/plain-pages.ts
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked, type Token } from 'marked'
import { anchorOf, linkForSite } from '../docs/links.ts'
import { addressOf, addressOfFile, copiedFiles, navigation, pages, titles } from '../docs/navigation.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist/pages')
const base = '/docs/guide'

rmSync(folder, { recursive: true, force: true })
const menu = navigation
  .map(({ title, pages }) => `<details><summary>${title}</summary>${pages.map(menuLink).join('')}</details>`)
  .join('\n')
for (const page of pages) write(`${addressOf(page) || 'index'}.html`, html(page))
for (const file of copiedFiles) {
  mkdirSync(join(folder, 'files'), { recursive: true })
  cpSync(join(root, file), join(folder, addressOfFile(file)))
}
write(
  'assets/plain.css',
  `:root { color-scheme: light dark }
body { display: flex; gap: 2rem; max-width: 75rem; margin: 1rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif }
nav { flex: 0 0 15rem } nav a { display: block } main { min-width: 0 } pre, table { overflow-x: auto; display: block }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #8886 }
@media (max-width: 50rem) { body { display: block } }
`,
)

function html(page: string): string {
  const markdown = new Marked({
    walkTokens: (token: Token) => {
      if (token.type !== 'link') return
      const link = linkForSite(page, token.href)
      if (link) token.href = link.isPage ? `${base}${link.href}` : link.href
    },
    renderer: {
      // HTML in the pages is shown as text, except for line breaks.
      html: ({ text }) => (text === '<br>' ? text : escaped(text)),
      heading({ tokens, depth, text }) {
        const id = anchorOf(text.replaceAll(/[`*]|\]\([^)]*\)/g, ''))
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
    },
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(titleOf(page))} | Muster</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/assets/plain.css">
</head>
<body>
<nav>
${menu}
</nav>
<main>
${markdown.parse(textOf(page), { async: false })}</main>
</body>
</html>
`
}

function menuLink(page: string): string {
  return `<a href="${base}/${addressOf(page)}">${escaped(titleOf(page))}</a>`
}

function titleOf(page: string): string {
  return titles[page] ?? /^# (.+)$/m.exec(textOf(page))?.[1]?.replaceAll('`', '') ?? page
}

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function write(file: string, text: string): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
