import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/**
 * The site is served with a content security policy that allows no inline script and no inline style. What VitePress writes into each
 * page becomes a file beside the others, named by its content.
 */
export interface StrictPages {
  /** A page without inline scripts, which loads the styles of its code blocks. */
  rewrite(html: string): string
  /** Writes the files that the pages load. */
  write(outDir: string): void
}

export function strictPages(base: string, codeStyles: () => string): StrictPages {
  const files = new Map<string, string>()
  const addressOf = (name: string, ending: string, content: string) => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
    const file = `assets/${name}.${hash}.${ending}`
    files.set(file, content)
    return `${base}${file}`
  }
  return {
    rewrite(html) {
      const withoutScripts = html.replaceAll(inlineScript, (_all, id: string, content: string) => {
        return `<script src="${addressOf(id, 'js', content)}"></script>`
      })
      const style = `<link rel="stylesheet" href="${addressOf('code', 'css', codeStyles())}">`
      return withoutScripts.replaceAll(inlineStyle, '$1').replace('</head>', `  ${style}\n  </head>`)
    },
    write(outDir) {
      for (const [file, content] of files) {
        const path = join(outDir, dirname(file), basename(file))
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, content)
      }
    },
  }
}

/** Both are in the head and have to run before the page is painted, so they stay scripts that block. */
const inlineScript = /<script id="([\w-]+)">(.*?)<\/script>/gs

/** Two of the theme, in front of the attribute `class`: theme/muster.css has the one, and a script sets the other. */
const inlineStyle = /(<div(?: class="[\w-]+")?) style="(?:position:relative|--vp-vh:0px);"/g

/** HTML of the pages is shown as text, but for the one that breaks a line in a table, where Markdown has nothing. */
export function breakLines(markdown: MarkdownRenderer): void {
  markdown.inline.ruler.before('html_inline', 'muster_break', (state, silent) => {
    if (!state.src.startsWith('<br>', state.pos)) return false
    if (!silent) state.push('hardbreak', 'br', 0)
    state.pos += '<br>'.length
    return true
  })
}

/** Columns are aligned by a class where Markdown aligns them. */
export function alignByClass(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('muster_alignment', ({ tokens }) => {
    for (const token of tokens) {
      const [, side] = /^text-align:\s*(\w+)$/.exec(token.attrGet('style') ?? '') ?? []
      if (side === undefined) continue
      token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
      token.attrJoin('class', `align-${side}`)
    }
  })
}
