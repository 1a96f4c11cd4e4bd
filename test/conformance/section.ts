/** A section of a page that another program writes, between its markers; empty if there is none. */
export function readSection(page: string, name: string): string {
  return markers(name).exec(page)?.[2] ?? ''
}

/** Puts a section between its markers. They are added at the end where there are none. */
export function replaceSection(page: string, name: string, section: string): string {
  const body = `\n${section.trim()}\n`
  if (markers(name).test(page)) return page.replace(markers(name), (_all, start: string, _old: string, end: string) => start + body + end)
  return `${page.trimEnd()}\n\n<!-- ${name} -->${body}<!-- /${name} -->\n`
}

function markers(name: string): RegExp {
  return new RegExp(`(<!-- ${name} -->)(.*)(<!-- /${name} -->)`, 's')
}
