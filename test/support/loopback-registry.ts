import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildJavaScript } from '../../scripts/build-javascript.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** A package registry on loopback that has this package, and sends whoever asks for another to the usual one. */
export interface LoopbackRegistry extends AsyncDisposable {
  readonly url: string
}

/** Packs the package as it is here, and serves it. */
export async function startRegistry(): Promise<LoopbackRegistry> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-registry-'))
  const { manifest, tarball } = await packIn(folder)
  const usual = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', shell: process.platform === 'win32' }).trim()
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    if (request.url === '/goldenrun.tgz') return response.end(tarball)
    if (request.url !== '/goldenrun') {
      response.writeHead(302, { location: new URL(request.url?.slice(1) ?? '', usual).href })
      return response.end()
    }
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const version = { ...manifest, dist: { tarball: `http://127.0.0.1:${port}/goldenrun.tgz`, integrity } }
    response.setHeader('content-type', 'application/json')
    return response.end(
      JSON.stringify({ name: 'goldenrun', 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } }),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Manifest {
  readonly version: string
  readonly files: readonly string[]
}

/** What `npm pack` packs, but for declarations: those nobody runs. */
async function packIn(folder: string): Promise<{ readonly manifest: Manifest; readonly tarball: Buffer }> {
  const { scripts: _, ...manifest } = JSON.parse(await readFile(path.join(repository, 'package.json'), 'utf8')) as Manifest & {
    scripts: object
  }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  for (const file of manifest.files.filter((name) => name !== 'dist')) await cp(path.join(repository, file), path.join(folder, file))
  await buildJavaScript(path.join(folder, 'dist'))
  execFileSync('npm', ['pack', '--loglevel=error'], { cwd: folder, stdio: 'ignore', shell: process.platform === 'win32' })
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz')) ?? ''
  return { manifest, tarball: await readFile(path.join(folder, name)) }
}
