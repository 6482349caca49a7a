import { ask, listPages, type GraphAccess } from './cloud-api.ts'
import { GraphError, type CloudApi } from './graph-client.ts'

// Without being asked, Meta leaves out quality_score, rejected_reason and the categories.
const FIELDS =
	'id,name,language,status,category,previous_category,correct_category,quality_score,rejected_reason,parameter_format,components'
/** Meta shows at most this many on a page without complaint; 6,000 templates are thirty calls of the hour's 200. */
const PAGE_SIZE = 200

const templatesOf = (wabaId: string) => `/${encodeURIComponent(wabaId)}/message_templates`

/**
 * All templates of a WABA as Meta describes them, page by page, the newest first. Pages may come again from the first one on,
 * when Meta no longer knows the place to go on at.
 */
export function listTemplatePages(
	api: CloudApi,
	wabaId: string,
	access: GraphAccess,
): AsyncGenerator<Record<string, unknown>[]> {
	return listPages(api, `${templatesOf(wabaId)}?fields=${FIELDS}`, { ...access, limit: PAGE_SIZE })
}

/** The languages of one template. Meta may find names by their beginning, so the response is looked through. */
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

/** One template by its id, as Meta describes it. */
export function getTemplate(api: CloudApi, templateId: string, access: GraphAccess): Promise<Record<string, unknown>> {
	return ask(api, {
		method: 'GET',
		path: `/${encodeURIComponent(templateId)}?fields=${FIELDS}`,
		token: access.accessToken,
	})
}

/** Submits a template for review. Meta may return another category than was asked for. */
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

interface SampleFile extends GraphAccess {
	filename: string
	type: string
	content: Buffer
}

/** How often an interrupted upload is resumed. */
const MAX_RESUMES = 2

/** Uploads the sample of a template's header, in pieces where the connection breaks off. Returns the handle for its creation. */
export async function uploadSample(api: CloudApi, appId: string, file: SampleFile): Promise<string> {
	const about = new URLSearchParams({
		file_name: file.filename,
		file_length: String(file.content.length),
		file_type: file.type,
	})
	const path = `/${encodeURIComponent(appId)}/uploads?${about.toString()}`
	const { id } = await ask(api, { method: 'POST', path, token: file.accessToken })
	// The id holds ":" and "?sig=", which Meta takes as they are.
	const upload = { path: `/${String(id)}`, token: file.accessToken }
	// This one call wants another scheme than Bearer.
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
