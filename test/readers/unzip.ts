import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** Returns the texts of a zip's entries by their paths. */
export async function unzip(zip: Buffer): Promise<Record<string, string>> {
	const found: Record<string, string> = {}
	const file = await fromBufferPromise(zip)
	for await (const entry of file.eachEntry())
		found[entry.fileName] = await text(await file.openReadStreamPromise(entry))
	return found
}
