import { posix } from 'node:path'
import { addressOf, addressOfFile, copiedFiles, pages } from './navigation.ts'

/** Where a link of a page leads on the site, and whether the site's own router follows it. */
export interface SiteLink {
  readonly href: string
  readonly isPage: boolean
}

/**
 * The links of the pages are relative paths of the checkout, with which a forge and an editor can follow them. This gives the address on
 * the site: of a page, of a file to copy, or of what the running service answers itself. Nothing for a link that is not relative.
 */
export function linkForSite(page: string, target: string): SiteLink | undefined {
  if (/^([a-z]+:|\/|#)/.test(target)) return undefined
  const [path = '', anchor] = target.split('#')
  const file = posix.join(posix.dirname(page), path)
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (pages.includes(file)) return { href: `/${addressOf(file)}${hash}`, isPage: true }
  const up = '../'.repeat(addressOf(page).split('/').length - 1)
  if (copiedFiles.includes(file)) return { href: `./${up}${addressOfFile(file)}`, isPage: false }
  if (file === 'openapi.json') return { href: `./${up}../../${file}`, isPage: false }
  throw new Error(`${page} links to ${target}, which is neither a page of the site nor a file that it has.`)
}

/** Anchors as GitHub makes them. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}
