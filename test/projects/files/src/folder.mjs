// The folder outside the project.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const folder = process.env.FILES_FOLDER

/** Removes what is in it, and fills it with files that have a text in them. */
export function fillFolder(text) {
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['orders', 'answers']) mkdirSync(path.join(folder, name), { recursive: true })
  writeFileSync(path.join(folder, 'orders/ord_1.json'), JSON.stringify({ total: text }))
  writeFileSync(path.join(folder, 'notes.txt'), `${text}\nand more\n`)
  writeFileSync(path.join(folder, 'image.bin'), Buffer.from([0, 255, 128, 7]))
}

/** Every file in it with its content, and every folder. */
export function readFolder() {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(
      (entry) =>
        path.join(entry.parentPath, entry.name) + (entry.isFile() ? readFileSync(path.join(entry.parentPath, entry.name), 'base64') : '/'),
    )
    .toSorted()
    .join('\n')
}
