import { randomInt } from 'node:crypto'
import { request } from 'undici'
import type { Account } from '#simulator/state/accounts.ts'
import type { Call } from '../call.ts'
import { GraphError, invalidParam } from '../errors.ts'
import { textUpTo } from '../json.ts'
import { paramsOf, textParam } from '../params.ts'

const CALLBACK_TIMEOUT_MS = 5_000

/** Subscribes an account to webhooks. Verifies the callback URL first when the call names one. */
export async function subscribe(account: Account, call: Call): Promise<unknown> {
	const params = paramsOf(call)
	let override_callback_uri: string | null = null
	if (params['override_callback_uri'] !== undefined) {
		override_callback_uri = textUpTo(params['override_callback_uri'], 'override_callback_uri', 200)
		if (!URL.canParse(override_callback_uri)) throw invalidParam('Param override_callback_uri must be a valid URI.')
		await verifyCallback(override_callback_uri, textParam(params, 'verify_token'))
	}
	account.subscription = { override_callback_uri }
	call.state.directory.saveAccount(account)
	return { success: true }
}

export function listSubscriptions(account: Account, { state }: Call): unknown {
	if (!account.subscription) return { data: [] }
	const { id, name } = state.directory.appOf(account)
	const { override_callback_uri } = account.subscription
	const app = { whatsapp_business_api_data: { id, name, link: `https://www.facebook.com/games/?app_id=${id}` } }
	return { data: [override_callback_uri === null ? app : { ...app, override_callback_uri }] }
}

export function unsubscribe(account: Account, { state }: Call): unknown {
	account.subscription = null
	state.directory.saveAccount(account)
	return { success: true }
}

/** Sends the challenge to a callback URL. Throws unless the receiver echoes it for the right verify token. */
async function verifyCallback(callback: string, verifyToken: string): Promise<void> {
	const challenge = String(randomInt(100_000_000, 999_999_999))
	const url = new URL(callback)
	url.searchParams.set('hub.mode', 'subscribe')
	url.searchParams.set('hub.challenge', challenge)
	url.searchParams.set('hub.verify_token', verifyToken)
	const answer = await ask(url)
	if (answer.status !== 200) throw refused(`HTTP Status Code = ${answer.status}`)
	if (answer.text !== challenge) throw refused('Response does not match challenge')
}

async function ask(url: URL): Promise<{ status: number; text: string }> {
	try {
		const answer = await request(url, { signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS) })
		return { status: answer.statusCode, text: await answer.body.text() }
	} catch {
		throw refused('The URL could not be reached')
	}
}

function refused(reason: string): GraphError {
	return new GraphError(2200, { message: `(#2200) Callback verification failed with the following errors: ${reason}` })
}
