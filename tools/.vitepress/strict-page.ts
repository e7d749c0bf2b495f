import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/**
 * The site's content security policy allows no inline script and no inline style. Moves what VitePress inlines into files named by their
 * content.
 */
interface StrictPages {
  /** A page without inline scripts that loads the styles of its code blocks. */
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

/** Both are in the head and must run before the page is painted, so they remain blocking scripts. */
const inlineScript = /<script id="([\w-]+)">(.*?)<\/script>/gs

/** Two inline styles of the theme, before the attribute `class`: theme/muster.css contains one, and a script sets the other. */
const inlineStyle = /(<div(?: class="[\w-]+")?) style="(?:position:relative|--vp-vh:0px);"/g

/** HTML in the pages is shown as text, except for line breaks in tables, which Markdown lacks. */
export function breakLines(markdown: MarkdownRenderer): void {
  markdown.inline.ruler.before('html_inline', 'muster_break', (state, silent) => {
    if (!state.src.startsWith('<br>', state.pos)) return false
    if (!silent) state.push('hardbreak', 'br', 0)
    state.pos += '<br>'.length
    return true
  })
}

/** Columns are aligned with a class where Markdown aligns them. */
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
