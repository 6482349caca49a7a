import { ask, listPages, type GraphAccess } from './cloud-api.ts'
import { GraphError, isRecord, textOrNull, type CloudApi } from './graph-client.ts'

// Meta returns quality_score, rejected_reason and the categories only when they are requested.
const FIELDS =
	'id,name,language,status,category,previous_category,correct_category,quality_score,rejected_reason,parameter_format,message_send_ttl_seconds,components'
/** Templates per page, the most that Meta reliably serves: 6,000 templates take thirty of the 200 calls per hour. */
const PAGE_SIZE = 200

const templatesOf = (wabaId: string) => `/${encodeURIComponent(wabaId)}/message_templates`

/**
 * Yields all templates of a WABA as Meta describes them, page by page, newest first. When Meta no longer knows a
 * cursor, the pages start again from the first.
 */
export function listTemplatePages(
	api: CloudApi,
	wabaId: string,
	access: GraphAccess,
): AsyncGenerator<Record<string, unknown>[]> {
	return listPages(api, `${templatesOf(wabaId)}?fields=${FIELDS}`, { ...access, limit: PAGE_SIZE })
}

/** Returns the languages of one template. Meta may also match longer names, so the rows are filtered. */
export async function findTemplatesNamed(
	api: CloudApi,
	wabaId: string,
	{ name, ...access }: GraphAccess & { name: string },
): Promise<Record<string, unknown>[]> {
	const path = `${templatesOf(wabaId)}?fields=${FIELDS}&name=${encodeURIComponent(name)}`
	const found: Record<string, unknown>[] = []
	for await (const rows of listPages(api, path, { ...access, limit: PAGE_SIZE })) {
		found.push(...rows.filter((row) => row.name === name))
	}
	return found
}

/** Returns one template by its id, as Meta describes it. */
export function getTemplate(api: CloudApi, templateId: string, access: GraphAccess): Promise<Record<string, unknown>> {
	return ask(api, {
		method: 'GET',
		path: `/${encodeURIComponent(templateId)}?fields=${FIELDS}`,
		token: access.accessToken,
	})
}

/**
 * Submits a template for review. Meta may return another category than the requested one; null when it returns none.
 */
export async function createTemplate(
	api: CloudApi,
	wabaId: string,
	{ accessToken, template }: GraphAccess & { template: object },
): Promise<{ templateId: string; status: string; category: string | null }> {
	const body = await ask(api, {
		method: 'POST',
		path: templatesOf(wabaId),
		token: accessToken,
		body: JSON.stringify(template),
	})
	return {
		templateId: String(body.id),
		status: typeof body.status === 'string' ? body.status : 'PENDING',
		category: typeof body.category === 'string' ? body.category : null,
	}
}

/** Deletes all languages of a template. */
export async function deleteTemplates(
	api: CloudApi,
	wabaId: string,
	{ accessToken, name }: GraphAccess & { name: string },
): Promise<void> {
	const path = `${templatesOf(wabaId)}?name=${encodeURIComponent(name)}`
	await ask(api, { method: 'DELETE', path, token: accessToken })
}

interface LibrarySearch extends GraphAccess {
	search: string
	/** Meta's word for a topic, a language code, and the cursor of the page before; undefined for all and the first. */
	topic: string | undefined
	language: string | undefined
	after: string | undefined
	limit: number
}

/** Returns a page of Meta's template library as Meta describes it, and the cursor of the next one; null at the end. */
export async function searchTemplateLibrary(
	api: CloudApi,
	{ accessToken, ...search }: LibrarySearch,
): Promise<{ rows: Record<string, unknown>[]; next: string | null }> {
	const query = new URLSearchParams()
	for (const [name, value] of Object.entries(search)) if (value) query.set(name, String(value))
	const path = `/message_template_library?${query.toString()}`
	const { data, paging } = await ask(api, { method: 'GET', path, token: accessToken })
	const { next, cursors } = isRecord(paging) ? paging : {}
	return {
		rows: Array.isArray(data) ? (data as unknown[]).filter(isRecord) : [],
		next: next && isRecord(cursors) ? textOrNull(cursors.after) : null,
	}
}

interface SampleFile extends GraphAccess {
	filename: string
	type: string
	content: Buffer
}

/** Number of times an interrupted upload is resumed. */
const MAX_RESUMES = 2

/**
 * Uploads the sample of a template's header, and resumes the upload up to MAX_RESUMES times after lost connections and
 * server errors. Returns the handle for creating the template.
 */
export async function uploadSample(api: CloudApi, appId: string, file: SampleFile): Promise<string> {
	const about = new URLSearchParams({
		file_name: file.filename,
		file_length: String(file.content.length),
		file_type: file.type,
	})
	const path = `/${encodeURIComponent(appId)}/uploads?${about.toString()}`
	const { id } = await ask(api, { method: 'POST', path, token: file.accessToken })
	// Unescaped, because the id contains ":" and "?sig=", which Meta expects as they are.
	const upload = { path: `/${String(id)}`, token: file.accessToken }
	// This call requires the scheme OAuth instead of Bearer.
	const headers = { authorization: `OAuth ${file.accessToken}` }
	let offset = 0
	for (let resumes = 0; ; resumes++) {
		try {
			const sent = await ask(api, {
				...upload,
				method: 'POST',
				headers: { ...headers, file_offset: String(offset), 'content-type': 'application/octet-stream' },
				body: file.content.subarray(offset),
			})
			if (typeof sent.h === 'string') return sent.h
		} catch (error) {
			const isRefused = error instanceof GraphError && error.status < 500
			if (isRefused || resumes === MAX_RESUMES) throw error
		}
		if (resumes === MAX_RESUMES) throw new Error('the upload came to no end')
		offset = Number((await ask(api, { ...upload, method: 'GET', headers })).file_offset) || 0
	}
}
