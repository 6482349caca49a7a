import { valueProblems } from '#features/audiences/values.ts'
import { refuseUnusable } from '#features/campaigns/server/creation/read-form.ts'
import { NUMBER_INVALID } from '#features/contacts/rules.ts'
import type { MessageReference } from '#features/delivery/server/message/reference-queries.ts'
import { problem } from '#features/developer/problems.ts'
import { listNamed, type Template } from '#features/templates/server/queries.ts'
import { slotsOf, type Variables } from '#features/templates/values.ts'
import type { SenderState } from '#features/whatsapp/server/service.ts'
import { AppError } from '#lib/app-error.ts'
import { readNumber } from '#lib/phone/phone-reader.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { faultAt, type Fault, invalid } from '../faults.ts'

/** A template by its name and language. */
export interface TemplateRef {
	name: string
	language?: string | undefined
}

export interface TypedMessage {
	to: string
	values: Variables
	reference?: string | undefined
	metadata?: Record<string, string> | undefined
}

/** Returns the template if it can be sent. Throws a 404 or 422 with the reason otherwise. */
export async function readTemplate(db: Db, accountId: AccountId, { name, language }: TemplateRef): Promise<Template> {
	const named = (await listNamed(db, accountId, name)).filter(({ goneAt }) => goneAt === null)
	const [first, ...others] = language === undefined ? named : named.filter((one) => one.language === language)
	if (!first) throw problem('template_not_found', { name })
	if (others.length > 0) {
		const detail = `The template has several languages: ${named.map((one) => one.language).join(', ')}`
		throw invalid([faultAt(['template', 'language'], detail)])
	}
	try {
		refuseUnusable(first)
	} catch (error) {
		if (!(error instanceof AppError)) throw error
		throw invalid([faultAt(['template'], error.message)], 'template_not_usable')
	}
	return first
}

/** Throws a 409 when the account has no sender or its sender is paused. */
export function refuseWithoutSender(sender: SenderState | null): void {
	if (!sender) throw problem('sender_missing')
	if (sender.stoppedReason !== null) throw problem('sender_stopped', { reason: sender.stoppedReason })
}

/** Returns a fault for each value that the template does not use; `place` is the position of the values in the body. */
export function unknownValues({ components }: Template, values: Variables, place: readonly PropertyKey[]): Fault[] {
	const known = slotsOf(components).map(({ key }) => key)
	const unknown = Object.keys(values).filter((key) => !known.includes(key))
	return unknown.map((key) => faultAt([...place, 'values', key], `The template has no value "${key}"`))
}

/** Returns the message in the form in which it is sent, and its faults; `place` is its position in the body. */
export function checkMessage(
	template: Template,
	{ to, values, reference, metadata }: TypedMessage,
	place: readonly PropertyKey[],
): { number: string; values: Variables; faults: Fault[] } & MessageReference {
	const number = readNumber(to)
	const slots = slotsOf(template.components)
	const faults = [
		...(number === null ? [faultAt([...place, 'to'], NUMBER_INVALID)] : []),
		...valueProblems(template.components, values, []).map(({ field, message }) =>
			faultAt([...place, 'values', field.replace('variables.', '')], message),
		),
		...unknownValues(template, values, place),
	]
	const trimmed = Object.fromEntries(slots.map(({ key }) => [key, (values[key] ?? '').trim()]))
	const named = { reference: reference ?? null, metadata: metadata ?? null }
	return { number: number ?? '', values: trimmed, ...named, faults }
}
