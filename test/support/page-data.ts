import { gunzipSync } from 'node:zlib'
import { decodePageData, type RunPage } from '../../src/viewer/page-data.ts'

/** The data of a page about runs, as its script reads it. */
export function dataOfPage(html: string): RunPage {
  const [, data = ''] = /id="data">([^<]*)</.exec(html) ?? []
  return decodePageData(gunzipSync(Buffer.from(data, 'base64')).toString()) as RunPage
}
