import { FormData } from 'undici'
import type { Billing } from '../rules.ts'
import {
	GraphError,
	isRecord,
	readFault,
	textOrNull,
	type CloudApi,
	type GraphResponse,
	type GraphRequest,
} from './graph-client.ts'

/** Access of one account to Meta's Graph API. */
export interface GraphAccess {
	accessToken: string
}

/**
 * Sends a request and returns its JSON. Throws a `GraphError` for an error status or a response that is not an object.
 */
export async function ask(api: CloudApi, request: GraphRequest): Promise<Record<string, unknown>> {
	const { status, body } = await api.request(request)
	if (status >= 400 || !isRecord(body)) throw new GraphError(status, readFault(body))
	return body
}

/** The edges of a number that send messages; `marketing_messages` takes only marketing templates. */
export type SendEndpoint = 'messages' | 'marketing_messages'

/**
 * Sends one message: POST /{phone_number_id}/{endpoint}. Returns the response, including refusals, which the caller
 * classifies.
 */
export function postMessage(
	api: CloudApi,
	phoneNumberId: string,
	message: { token: string; body: string; endpoint: SendEndpoint; onStart?: () => void },
): Promise<GraphResponse> {
	return api.request({
		method: 'POST',
		path: `/${phoneNumberId}/${message.endpoint}`,
		token: message.token,
		lane: phoneNumberId,
		body: message.body,
		...(message.onStart && { onStart: message.onStart }),
	})
}

/** Marks a customer's message and all earlier ones as read. */
export async function sendReadReceipt(
	api: CloudApi,
	phoneNumberId: string,
	{ token, wamid }: { token: string; wamid: string },
): Promise<void> {
	await ask(api, {
		method: 'POST',
		path: `/${phoneNumberId}/messages`,
		token,
		body: JSON.stringify({ messaging_product: 'whatsapp', status: 'read', message_id: wamid }),
	})
}

/** Days after which Meta deletes an uploaded file, and for which messages name it: a message may wait for days. */
export const META_MEDIA_DAYS = 30
export const MEDIA_DAYS = 25

/** Uploads a file for sending. The returned id is valid for META_MEDIA_DAYS and for this number only. */
export async function uploadMedia(
	api: CloudApi,
	phoneNumberId: string,
	media: { token: string; content: Blob; filename: string },
): Promise<string> {
	const form = new FormData()
	form.set('messaging_product', 'whatsapp')
	form.set('type', media.content.type)
	form.set('file', media.content, media.filename)
	const body = await ask(api, { method: 'POST', path: `/${phoneNumberId}/media`, token: media.token, body: form })
	return String(body.id)
}

/** Data of the phone app, in Meta's words: earlier chats, or contacts. */
export type AppData = 'history' | 'smb_app_state_sync'

/** Asks Meta to send data of the phone app by webhooks. Each kind can be requested once. */
export async function requestAppData(
	api: CloudApi,
	phoneNumberId: string,
	{ token, data }: { token: string; data: AppData },
): Promise<void> {
	const body = JSON.stringify({ messaging_product: 'whatsapp', sync_type: data })
	await ask(api, { method: 'POST', path: `/${encodeURIComponent(phoneNumberId)}/smb_app_data`, token, body })
}

export interface SenderFacts {
	verifiedName: string | null
	displayPhoneNumber: string | null
	/** Throughput level: STANDARD (80 messages per second) or HIGH (1,000). */
	throughput: string | null
}

export async function getNumber(api: CloudApi, phoneNumberId: string, access: GraphAccess): Promise<SenderFacts> {
	const fields = 'id,verified_name,display_phone_number,quality_rating,throughput,status'
	const path = `/${encodeURIComponent(phoneNumberId)}?fields=${fields}`
	const body = await ask(api, { method: 'GET', path, token: access.accessToken })
	return {
		verifiedName: textOrNull(body.verified_name),
		displayPhoneNumber: textOrNull(body.display_phone_number),
		throughput: isRecord(body.throughput) ? textOrNull(body.throughput.level) : null,
	}
}

/** Returns the ids of a WABA's phone numbers. */
export async function listNumberIds(api: CloudApi, wabaId: string, access: GraphAccess): Promise<string[]> {
	const rows = await listAll(api, `/${encodeURIComponent(wabaId)}/phone_numbers?fields=id`, access)
	return rows.map((row) => String(row.id))
}

export async function getBusinessName(api: CloudApi, wabaId: string, access: GraphAccess): Promise<string | null> {
	const path = `/${encodeURIComponent(wabaId)}?fields=id,name`
	return textOrNull((await ask(api, { method: 'GET', path, token: access.accessToken })).name)
}

/**
 * Reads the billing of a WABA. Meta omits the payment method when there is none, so its absence counts once the
 * currency is returned.
 */
export async function getBilling(api: CloudApi, wabaId: string, access: GraphAccess): Promise<Billing> {
	const path = `/${encodeURIComponent(wabaId)}?fields=currency,country,timezone_id,primary_funding_id`
	const body = await ask(api, { method: 'GET', path, token: access.accessToken })
	const billingCurrency = shortTextOrNull(body.currency)
	return {
		billingCurrency,
		billingCountry: shortTextOrNull(body.country),
		billingTimezoneId: shortTextOrNull(body.timezone_id),
		hasPaymentMethod: billingCurrency === null ? null : shortTextOrNull(body.primary_funding_id) !== null,
	}
}

/** Returns a text cut to 50 characters, or a number as text; null for other values. Meta returns ids in both forms. */
function shortTextOrNull(value: unknown): string | null {
	return typeof value === 'number' ? String(value) : (textOrNull(value)?.slice(0, 50) ?? null)
}

export async function getProfilePicture(
	api: CloudApi,
	phoneNumberId: string,
	access: GraphAccess,
): Promise<string | null> {
	const path = `/${encodeURIComponent(phoneNumberId)}/whatsapp_business_profile?fields=profile_picture_url`
	const body = await ask(api, { method: 'GET', path, token: access.accessToken })
	const first = Array.isArray(body.data) ? (body.data[0] as unknown) : null
	return isRecord(first) ? textOrNull(first.profile_picture_url) : null
}

/** Directs the WABA's webhooks to our address. Meta calls the address for a handshake before it responds. */
export async function subscribeWebhooks(
	api: CloudApi,
	wabaId: string,
	hook: GraphAccess & { url: string; verifyToken: string },
): Promise<void> {
	await ask(api, {
		method: 'POST',
		path: `/${encodeURIComponent(wabaId)}/subscribed_apps`,
		token: hook.accessToken,
		body: JSON.stringify({ override_callback_uri: hook.url, verify_token: hook.verifyToken }),
	})
}

async function listAll(api: CloudApi, path: string, access: GraphAccess): Promise<Record<string, unknown>[]> {
	const rows: Record<string, unknown>[] = []
	for await (const page of listPages(api, path, { ...access, limit: 100 })) rows.push(...page)
	return rows
}

/** Meta's code for an expired cursor, after which a list is read from its beginning. */
const BAD_CURSOR = 131059
const MAX_RESTARTS = 3
/** Meta's code for a page that is too large; a smaller page may succeed. */
const TOO_MUCH_DATA = 1
const MIN_LIMIT = 10

/**
 * Yields the rows page by page. Follows `paging.next`, because the last page has a cursor as well. An expired cursor
 * restarts the list, up to MAX_RESTARTS times, so that rows may repeat; a page that is too large is requested with
 * fewer rows. `path` must contain a query.
 */
export async function* listPages(
	api: CloudApi,
	path: string,
	{ accessToken, limit }: GraphAccess & { limit: number },
): AsyncGenerator<Record<string, unknown>[]> {
	let size = limit
	let after = ''
	let restarts = 0
	const seen = new Set<string>()
	for (;;) {
		let body: Record<string, unknown>
		try {
			const place = after && `&after=${encodeURIComponent(after)}`
			body = await ask(api, { method: 'GET', path: `${path}&limit=${size}${place}`, token: accessToken })
		} catch (error) {
			const code = error instanceof GraphError ? error.fault?.code : undefined
			if (code === TOO_MUCH_DATA && size > MIN_LIMIT) size = Math.max(MIN_LIMIT, Math.floor(size / 4))
			else if (code === BAD_CURSOR && restarts++ < MAX_RESTARTS) after = ''
			else throw error
			seen.clear()
			continue
		}
		if (Array.isArray(body.data)) yield (body.data as unknown[]).filter(isRecord)
		const paging = isRecord(body.paging) ? body.paging : {}
		const next = isRecord(paging.cursors) ? textOrNull(paging.cursors.after) : null
		if (!paging.next || !next) return
		if (seen.has(next)) throw new Error('a list of the network leads back to a page before')
		seen.add(next)
		after = next
	}
}
