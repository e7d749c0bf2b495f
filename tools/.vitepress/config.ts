import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformerStyleToClass } from '@shikijs/transformers'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { anchorOf } from '../../docs/links.ts'
import { addressOf, navigation, pages, titles, widePages } from '../../docs/navigation.ts'
import { copiedFilesPlugin } from './copied-files.ts'
import { rewriteLinks } from './links.ts'
import { alignByClass, breakLines, strictPages } from './strict-page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const base = '/docs/guide/'
const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(root, 'console/src/shell/icon.svg'), 'utf8').trim())}`
const isBuild = process.env.NODE_ENV === 'production'
const colours = transformerStyleToClass({ classPrefix: 'c' })
const strict = strictPages(base, () => sortedRules(colours.getCSS()))

/** The pages stay where forges and editors show them. The site reads them there and assigns their addresses. */
export default defineConfig({
  base,
  srcDir: '..',
  srcExclude: otherMarkdown(),
  rewrites: Object.fromEntries(pages.map((page) => [page, `${addressOf(page) || 'index'}.md`])),
  outDir: '../dist/guide',
  cacheDir: './node_modules/.cache/vitepress',
  title: 'Muster',
  description: 'Who is calling, who the users are, and whether a DNS or CDN provider’s key works.',
  lang: 'en-GB',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: icon, type: 'image/svg+xml' }]],
  appearance: { disableTransition: false }, // would add an inline style
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    html: false,
    anchor: { slugify: anchorOf },
    codeTransformers: isBuild ? [colours] : [],
    languageAlias: { console: 'shellsession', output: 'text', haproxy: 'text' },
    config(markdown) {
      rewriteLinks(markdown, root)
      alignByClass(markdown)
      breakLines(markdown)
    },
  },
  vite: {
    logLevel: isBuild ? 'warn' : 'info',
    plugins: [copiedFilesPlugin(root, base)],
    build: {
      chunkSizeWarningLimit: 1_000, // the search index, loaded when a reader searches
      license: { fileName: 'files/licences.md' },
    },
  },
  // Pages with wide tables have no outline, so that the tables have room.
  transformPageData: ({ filePath }) => (widePages.includes(filePath) ? { frontmatter: { aside: false } } : {}),
  transformHtml: (html) => strict.rewrite(html),
  buildEnd: ({ outDir }) => strict.write(outDir),
  themeConfig: {
    siteTitle: 'Muster',
    nav: [
      { text: 'Start', link: '/start' },
      { component: 'ServiceLink', props: { text: 'API reference', href: '/docs' } },
      { component: 'ServiceLink', props: { text: 'Console', href: '/' } },
      { text: version, items: [{ text: 'What changed', link: '/changelog' }] },
    ],
    sidebar: navigation.map(
      ({ title, isCollapsed, pages: inGroup }): DefaultTheme.SidebarItem => ({
        text: title,
        collapsed: isCollapsed ?? false,
        items: inGroup.map((page) => ({ text: titleOf(page), link: `/${addressOf(page)}` })),
      }),
    ),
    outline: { level: [2, 3], label: 'On this page' },
    search: { provider: 'local' },
  },
})

function titleOf(page: string): string {
  const named = titles[page]
  if (named !== undefined) return named
  const [, heading = page] = /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8')) ?? []
  return heading.replaceAll('`', '')
}

/** VitePress takes every Markdown file in the checkout. These are not pages. */
function otherMarkdown(): string[] {
  const folders = new Set(pages.map((page) => page.split('/')[0]))
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return []
    if (!folders.has(entry.name)) return [`${entry.name}/**`]
    const files = readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' })
    return files.map((file) => `${entry.name}/${file}`).filter((file) => file.endsWith('.md') && !pages.includes(file))
  })
}

/** Pages are rendered in any order, but the same commit must produce the same files. */
function sortedRules(css: string): string {
  return css
    .split(/(?<=\})/)
    .sort()
    .join('')
}
