const key = 'goldenrun-theme'

/** Applies the chosen dark or light theme; without a choice, the system's. */
export function restoreTheme(): void {
  try {
    const kept = localStorage.getItem(key)
    if (kept === 'dark' || kept === 'light') document.documentElement.dataset['theme'] = kept
  } catch {
    // A browser may refuse storage for files.
  }
}

/** Switches between dark and light. */
export function switchTheme(): void {
  const { dataset } = document.documentElement
  const isDark = dataset['theme'] === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset['theme'] === 'dark'
  dataset['theme'] = isDark ? 'light' : 'dark'
  try {
    localStorage.setItem(key, dataset['theme'])
  } catch {
    // The choice then lasts only as long as the page.
  }
}
