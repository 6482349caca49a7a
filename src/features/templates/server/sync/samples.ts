import type { Component } from '#features/templates/contract.ts'
import { maxHeaderBytes } from '#features/templates/limits.ts'
import { headerFileProblem } from '#features/templates/rules.ts'
import { componentsIn, findComponent, mediaPlacesOf, type MediaPlace } from '#features/templates/values.ts'
import { downloadSample } from '#features/whatsapp/server/cloud-api-media.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Log } from '#lib/server/log.ts'
import type { Storage } from '#lib/server/storage/storage.ts'
import { fileAt, readHeaderFile, storeHeaderFile, writeHeaderFile, type HeaderFile } from '../header-file.ts'
import * as queries from './sync-queries.ts'

export interface SampleContext {
	db: Db
	cloudApi: CloudApi
	storage: Storage
	log: Log
}

/** Maximum number of concurrent downloads. */
const PARALLEL = 4

/**
 * Downloads the header files of templates that were created outside the product, so that they can be sent. A failed
 * download is tried again the next day; until then the user may upload a file.
 */
export async function fetchSamples(context: SampleContext, accountId: AccountId, limit: number): Promise<void> {
	const { db, log } = context
	const waiting = (await queries.listWithoutFile(db, accountId, limit)).values()
	const fetchNext = async () => {
		for (const template of waiting) {
			await fetchSample(context, accountId, template).catch((error: unknown) =>
				log.warn({ error, accountId, template: template.name }, 'a header’s file could not be fetched'),
			)
		}
	}
	await Promise.all(Array.from({ length: PARALLEL }, fetchNext))
}

async function fetchSample(
	{ db, cloudApi, storage }: SampleContext,
	accountId: AccountId,
	template: queries.SampledTemplate,
): Promise<void> {
	// Records the attempt first, so that a file that crashes this process is not tried again immediately.
	await queries.updateSampleTried(db, accountId, template.id)
	for (const place of mediaPlacesOf(template.components)) {
		if (fileAt(template, place)) continue
		const file = await download(cloudApi, { template, place })
		if (!file) continue
		const key = await storeHeaderFile(storage, accountId, file)
		// A file that the user has uploaded meanwhile takes precedence.
		await writeHeaderFile(db, accountId, { template, place, file: key, isSample: true })
		announceLive(db, accountId, { kind: 'templates' })
	}
}

interface SamplePlace {
	template: queries.SampledTemplate
	place: MediaPlace
}

/** Downloads the sample in Meta's list. Returns null unless the content is of the header's kind. */
async function download(cloudApi: CloudApi, { template, place }: SamplePlace): Promise<HeaderFile | null> {
	const { kind } = place
	const address = sampleAddress(componentsIn(template.components, place))
	if (!address) return null
	const maxBytes = maxHeaderBytes(kind)
	const content = await downloadSample(cloudApi, address, maxBytes)
	if (!content) return null
	const file = readHeaderFile(content, template.name)
	return headerFileProblem(kind, { size: content.length, type: file.type }) === false ? file : null
}

function sampleAddress(components: readonly Component[]): string | null {
	const example = findComponent(components, 'HEADER')?.['example']
	const handles =
		typeof example === 'object' && example !== null && 'header_handle' in example ? example.header_handle : []
	const first: unknown = Array.isArray(handles) ? handles[0] : null
	return typeof first === 'string' ? first : null
}
