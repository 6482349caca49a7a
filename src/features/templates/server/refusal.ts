import { problem } from '#features/templates/problems.ts'
import { metaCode } from '#features/whatsapp/server/codes/codes.ts'
import { GraphError } from '#features/whatsapp/server/graph-client.ts'
import { AppError } from '#lib/app-error.ts'

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

/** A call to Meta, in the words of "Failed to sync templates". */
type Task = 'create template' | 'delete template' | 'search the library' | 'sync templates'

/**
 * Returns the `AppError` for a refusal by Meta: a 400 with Meta's text at its field. Any other error, such as an
 * unreachable network, becomes a 502 that names the task.
 */
export function refusalOf(error: unknown, task: Task): AppError {
	const fault = faultOf(error)
	return fault ? (accountRefusal(fault) ?? templateRefusal(fault)) : problem('meta_failed', { task })
}

/** Meta's fault with its text for people. */
type Fault = NonNullable<GraphError['fault']> & { text: string }

/** Returns the fault that Meta named; null for an error without one, or with a status of 500 or more. */
function faultOf(error: unknown): Fault | null {
	if (!(error instanceof GraphError) || !error.fault || error.status >= 500) return null
	return { ...error.fault, text: error.message.replace(/^\(#\d+\)\s*/, '') }
}

function templateRefusal({ subcode, userTitle, text }: Fault): AppError {
	const field = fieldOf(subcode, `${userTitle ?? ''} ${text}`)
	return problem('meta_refused', { reason: text, field, title: userTitle || undefined })
}

/** Returns the refusal of the account for a call about no template; otherwise a 502 that names the task. */
export function accountRefusalOf(error: unknown, task: Task): AppError {
	const fault = faultOf(error)
	return (fault && accountRefusal(fault)) ?? problem('meta_failed', { task })
}

/** Returns the refusal of the account, whatever the template; null when Meta refused the template itself. */
function accountRefusal({ code, subcode }: Fault): AppError | null {
	const { scope, access } = metaCode(code)
	if (scope === 'limit') return problem('meta_busy')
	if (access === 'blocked') return problem('meta_blocked')
	return access === 'refused' || isMissing({ code, subcode }) ? problem('meta_credentials_refused') : null
}

/** Returns true for an object that does not exist or that the credentials may not see. */
function isMissing({ code, subcode }: Pick<Fault, 'code' | 'subcode'>): boolean {
	return code === 100 && subcode === 33
}

/** Returns the refusal for the upload of a header's file. */
export function uploadRefusalOf(error: unknown): AppError {
	const fault = faultOf(error)
	if (!fault) return problem('header_file_not_uploaded')
	if (isMissing(fault)) return problem('app_id_refused')
	return problem('header_file_refused', { reason: accountRefusal(fault)?.message ?? fault.text })
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
