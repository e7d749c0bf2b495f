/** The title of the page, which tabs and screen readers name it by, follows the heading of the screen. */
export function followHeading(root: Element): void {
  new MutationObserver(() => {
    const heading = root.querySelector('h1')?.textContent ?? ''
    const title = heading === '' || heading.includes('Muster') ? heading || 'Muster' : `${heading} · Muster`
    if (document.title !== title) document.title = title
  }).observe(root, { childList: true, subtree: true, characterData: true })
}
