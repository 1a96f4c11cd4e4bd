const key = 'goldenrun-theme'

/** Shows the page dark or light as it was chosen before; else as the system is. */
export function restoreTheme(): void {
  try {
    const kept = localStorage.getItem(key)
    if (kept === 'dark' || kept === 'light') document.documentElement.dataset['theme'] = kept
  } catch {
    // A browser may keep nothing for files.
  }
}

/** Changes between dark and light. */
export function switchTheme(): void {
  const { dataset } = document.documentElement
  const isDark = dataset['theme'] === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset['theme'] === 'dark'
  dataset['theme'] = isDark ? 'light' : 'dark'
  try {
    localStorage.setItem(key, dataset['theme'])
  } catch {
    // Then the choice lasts as long as the page.
  }
}
