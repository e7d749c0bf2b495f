import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'
import { StartError } from '../start-error.ts'
import { type Language, languages, type MailKind, mailKinds } from './kinds.ts'

/** The parts of a mail, with `{{name}}` where a value stands. */
interface Template {
  readonly subject: string
  readonly text: string
  /** Absent where the HTML is made of the text. */
  readonly html?: string | undefined
}

export interface Rendered {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Templates {
  render(kind: MailKind, language: Language, values: Readonly<Record<string, string>>): Rendered
}

/** Values that every text can show. */
const common = ['service', 'email'] as const

/**
 * The texts of the release in `mails/<language>/<kind>.txt`, each replaced by a file of the same name in `folder`, where there may be a
 * `<kind>.html` too. The first line of a text is `Subject: …`. Throws `StartError` for a text that shows what there is not.
 */
export function readTemplates(folder: string | undefined): Templates {
  const found = new Map<string, Template>()
  for (const language of languages)
    for (const kind of kinds) found.set(`${language}/${kind}`, readTemplate(`${language}/${kind}`, kind, folder))
  return {
    render(kind, language, values) {
      const template = found.get(`${language}/${kind}`)
      if (!template) throw new Error(`There is no text ${language}/${kind}.`)
      const { subject, text, html } = template
      return {
        subject: fill(subject, values),
        text: fill(text, values),
        html: html === undefined ? htmlOf(template, language, values) : fill(html, values, escapeHtml),
      }
    },
  }
}

// The keys of an object that this code wrote are its type.
const kinds = Object.keys(mailKinds) as MailKind[]

function readTemplate(name: string, kind: MailKind, folder: string | undefined): Template {
  const own = folder === undefined ? undefined : join(folder, `${name}.txt`)
  const path = own !== undefined && existsSync(own) ? own : join(packageRoot(), 'mails', `${name}.txt`)
  const [, subject = '', text = ''] =
    /^Subject: (.+)\n\n([\s\S]+)$/.exec(readFileSync(path, 'utf8').replaceAll('\r\n', '\n')) ?? []
  if (text.trim() === '')
    throw new StartError(`The first line of ${path} must be "Subject: …", and the text follows an empty line.`)
  const htmlPath = folder === undefined ? undefined : join(folder, `${name}.html`)
  const html = htmlPath !== undefined && existsSync(htmlPath) ? readFileSync(htmlPath, 'utf8') : undefined
  const known: readonly string[] = [...common, ...mailKinds[kind]]
  for (const part of [subject, text, html ?? ''])
    for (const [, value = ''] of part.matchAll(/\{\{([^}]{0,100})\}\}/g))
      if (!known.includes(value))
        throw new StartError(
          `${path} shows {{${value}}}. There is only ${known.map((one) => `{{${one}}}`).join(', ')}.`,
        )
  return { subject, text, html }
}

function fill(template: string, values: Readonly<Record<string, string>>, write = (value: string) => value): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => write(values[name] ?? ''))
}

/** The same words: no images, nothing from elsewhere. A paragraph that is a link alone can be pressed. */
function htmlOf({ subject, text }: Template, language: Language, values: Readonly<Record<string, string>>): string {
  const paragraphs = text.trim().split(/\n{2,}/)
  const body = paragraphs.map((paragraph) =>
    paragraph === '{{link}}'
      ? `<p><a href="${escapeHtml(values.link ?? '')}">${escapeHtml(values.link ?? '')}</a></p>`
      : `<p>${fill(escapeHtml(paragraph), values, escapeHtml).replaceAll('\n', '<br>\n')}</p>`,
  )
  const title = fill(escapeHtml(subject), values, escapeHtml)
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="font: 16px/1.5 sans-serif; max-width: 36em; margin: 1em auto; overflow-wrap: anywhere">
${body.join('\n')}
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
