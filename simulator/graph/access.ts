import type { IncomingHttpHeaders } from 'node:http'
import type { Token } from '../state/accounts.ts'
import type { Directory } from '../state/directory.ts'
import { GraphError } from './errors.ts'

const REJECTIONS = new Map([
	[460, 'The session has been invalidated because the user changed their password.'],
	[463, 'Session has expired. The current time is later than the expiry of the token.'],
	[467, 'The session is invalid because the user logged out.'],
])

const SCHEME = /^(?:bearer|oauth) ([^ ]+)/i

/**
 * Returns the token of a call: from the header, the query or a form field. Throws Graph's error for a call without one.
 */
export function tokenTextOf(headers: IncomingHttpHeaders, query: URLSearchParams, body: Buffer): string {
	const given = SCHEME.exec(headers.authorization ?? '')?.[1]
	if (given !== undefined) return given
	const inQuery = query.get('access_token')
	if (inQuery) return inQuery
	const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
	const inForm = isForm ? new URLSearchParams(body.toString()).get('access_token') : null
	if (inForm) return inForm
	const message = 'An access token is required to request this resource.'
	throw new GraphError(104, { message })
}

export function tokenOf(directory: Directory, text: string): Token {
	const token = directory.tokens.get(text)
	if (!token) throw new GraphError(190, { message: 'Invalid OAuth access token - Cannot parse access token' })
	const subcode = token.rejected_subcode
	if (subcode === null) return token
	const reason = REJECTIONS.get(subcode) ?? 'The session is invalid.'
	throw new GraphError(190, { message: `Error validating access token: ${reason}`, subcode })
}
