/** The first that fits names the browser: most claim to be others as well. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.* Safari\//, 'Safari'],
]
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** “Chrome, Linux” of a user agent; one that is of no known browser as it is. */
export function deviceName(userAgent: string): string {
  const [browser, system] = [browsers, systems].map((all) => all.find(([pattern]) => pattern.test(userAgent))?.[1])
  return browser === undefined ? userAgent : [browser, system].filter(Boolean).join(', ')
}
