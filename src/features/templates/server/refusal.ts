import { metaCode } from '#features/whatsapp/server/codes/codes.ts'
import { GraphError } from '#features/whatsapp/server/graph-client.ts'
import { AppError } from '#lib/server/errors.ts'

/** Form field of a refusal, by Meta's subcode. */
const FIELD_OF_SUBCODE: Record<number, string> = {
	2388023: 'name',
	2388024: 'name',
	2388047: 'header_text',
	2388072: 'body_text',
	2388073: 'footer_text',
	2388293: 'body_text',
	2388299: 'body_text',
}

/** Form field for shared and unknown subcodes: that of the first pattern matching Meta's text. */
const FIELD_OF_WORD: [word: RegExp, field: string][] = [
	[/\bsample|header_handle|\bfile\b/i, 'header_file'],
	[/\bheader\b/i, 'header_text'],
	[/\bfooter\b/i, 'footer_text'],
	[/\bbuttons?\b|\bURL\b|phone number/i, 'buttons'],
	[/\bbody\b/i, 'body_text'],
	[/\blanguage\b/i, 'language'],
	[/\bcategory\b/i, 'category'],
	[/\btemplate names?\b/i, 'name'],
]

const BUSY = 'WhatsApp takes no more changes from your account for now. Please try again in an hour.'
const BLOCKED =
	'WhatsApp has blocked your account because of its policy. See WhatsApp Manager, or ask your administrator.'
const CREDENTIALS_REFUSED =
	'WhatsApp does not accept the credentials of your account. Please ask your administrator to check them.'
const NO_APP = 'WhatsApp does not accept the App ID of your account. Please ask your administrator to check it.'

/**
 * Returns the `AppError` for a refusal by Meta: a 400 with Meta's text at its field. Any other error, such as an
 * unreachable network, becomes a 502 with `fallback`.
 */
export function refusalOf(error: unknown, fallback: string): AppError {
	if (!(error instanceof GraphError) || !error.fault || error.status >= 500) return new AppError(502, fallback)
	const { code, subcode, userTitle } = error.fault
	const accountWords = accountProblem(code, subcode)
	if (accountWords) return new AppError(400, accountWords)
	const message = error.message.replace(/^\(#\d+\)\s*/, '')
	const field = fieldOf(subcode, `${userTitle ?? ''} ${message}`)
	return new AppError(400, message, {
		...(field && { fields: { [field]: message } }),
		...(userTitle && { title: userTitle }),
	})
}

/**
 * Returns the `AppError` for a call that concerns no template: a 400 with the problem of the account, or a 502 with
 * `fallback`.
 */
export function accountRefusalOf(error: unknown, fallback: string): AppError {
	const fault = error instanceof GraphError && error.status < 500 ? error.fault : null
	const words = fault && accountProblem(fault.code, fault.subcode)
	return words ? new AppError(400, words) : new AppError(502, fallback)
}

/** Returns the problem of the account that blocks the call; null for a refusal of the template itself. */
function accountProblem(code: number, subcode: number | null): string | null {
	const { scope, access } = metaCode(code)
	if (scope === 'limit') return BUSY
	if (access === 'blocked') return BLOCKED
	return access === 'refused' || (code === 100 && subcode === 33) ? CREDENTIALS_REFUSED : null
}

/** Returns the `AppError` for a failed upload of a header file, at the file's field. */
export function uploadRefusalOf(error: unknown): AppError {
	const message = 'The file of the header could not be uploaded to WhatsApp. Please try again.'
	if (!(error instanceof GraphError) || !error.fault || error.status >= 500) {
		return new AppError(502, message, { fields: { header_file: message } })
	}
	const isApp = error.fault.code === 100 && error.fault.subcode === 33
	const words = isApp ? NO_APP : refusalOf(error, message).message
	return new AppError(400, words, { fields: { header_file: words } })
}

function fieldOf(subcode: number | null, text: string): string | undefined {
	return FIELD_OF_SUBCODE[subcode ?? 0] ?? FIELD_OF_WORD.find(([word]) => word.test(text))?.[1]
}

/** Returns true when Meta may have carried out the call, because there was no response or none with a verdict. */
export function isUnknownOutcome(error: unknown): boolean {
	if (!(error instanceof GraphError)) return true
	return error.status >= 500 || error.fault === null || metaCode(error.fault.code).scope === 'fault'
}

/** Meta's subcode for "There is already English content for this template". */
const EXISTS = 2388024

export function isExisting(error: unknown): boolean {
	return error instanceof GraphError && error.fault?.subcode === EXISTS
}
