import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { linkForSite } from '../../docs/links.ts'

/** Rewrites the links of each page; `root` is the folder of the checkout. */
export function rewriteLinks(markdown: MarkdownRenderer, root: string): void {
  markdown.core.ruler.after('inline', 'muster_links', ({ tokens, env }) => {
    const page = posix.relative(root, env.realPath ?? env.path)
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.type === 'link_open' && linkForSite(page, token.attrGet('href') ?? '')
      if (!link) continue
      token.attrSet('href', link.href)
      if (!link.isPage) token.attrSet('target', '_self')
    }
  })
}
