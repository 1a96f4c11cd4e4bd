// Agents that keep their data in a folder outside the project, by the functions of node:fs that they took hold of when their module loaded.
import fs, { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

const required = createRequire(import.meta.url)('node:fs')
const { readFileSync: takenRead, promises: taken } = required
const { writeFile: takenWrite } = taken
const folder = process.env.FILES_FOLDER
const at = (...parts) => path.join(folder, ...parts)

export async function onPromises(id) {
  const { total } = JSON.parse(await readFile(at('orders', `${id}.json`), 'utf8'))
  await writeFile(at('answer.tmp'), `The total of ${id} is ${total}.`)
  await rename(at('answer.tmp'), at('answers', `${id}.txt`))
  await appendFile(at('log.txt'), `answered ${id}\n`)
  const missing = await readFile(at('orders', 'ord_9.json')).catch(({ code }) => code)
  const { size } = await stat(at('log.txt'))
  return [await readFile(at('log.txt'), 'utf8'), size, await readdir(at('answers')), missing]
}

export async function onStreams(id) {
  await pipeline(createReadStream(at('notes.txt')), createWriteStream(at('copy.txt')))
  const handle = await open(at('copy.txt'), 'r+')
  await handle.write(id, 0)
  await handle.close()
  const lines = []
  for await (const piece of createReadStream(at('copy.txt'), 'utf8')) lines.push(piece)
  return lines.join('').split('\n')
}

export function onSync(id) {
  fs.mkdirSync(at('made', id), { recursive: true })
  fs.copyFileSync(at('notes.txt'), at('made', id, 'notes.txt'))
  required.rmSync(at('notes.txt'))
  const image = required.readFileSync(at('image.bin'))
  return [
    fs.existsSync(at('notes.txt')),
    fs.readFileSync(at('made', id, 'notes.txt'), 'utf8'),
    [...image],
    fs.readdirSync(folder).toSorted(),
  ]
}

export async function onTaken(id) {
  await takenWrite(at('orders', 'ord_2.json'), takenRead(at('orders', `${id}.json`)))
  return JSON.parse(takenRead(at('orders', 'ord_2.json'), 'utf8'))
}
