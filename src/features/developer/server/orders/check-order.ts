import { valueProblems } from '#features/campaigns/order-checks.ts'
import { refuseUnusable } from '#features/campaigns/server/creation/create.ts'
import { readNumber } from '#features/contacts/numbers.ts'
import { NUMBER_INVALID } from '#features/contacts/rules.ts'
import { listNamed, type Template } from '#features/templates/server/queries.ts'
import { slotsOf, type Variables } from '#features/templates/values.ts'
import type { StoredSender } from '#features/whatsapp/server/queries.ts'
import { NO_CREDENTIALS } from '#features/whatsapp/server/sender.ts'
import type { Db, OwnerId } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import type { Fault } from '../faults.ts'

/** A template as a program names it. */
export interface TemplateRef {
	name: string
	language?: string | undefined
}

export interface TypedMessage {
	to: string
	values: Variables
}

/** The template, which can be sent; 404 or 422 with what is wrong with it. */
export async function readTemplate(db: Db, owner: OwnerId, { name, language }: TemplateRef): Promise<Template> {
	const named = (await listNamed(db, owner, name)).filter(({ goneAt }) => goneAt === null)
	const [first, ...others] = language === undefined ? named : named.filter((one) => one.language === language)
	if (!first) throw new AppError(404, `There is no template "${name}"`, { code: 'template_not_found' })
	if (others.length > 0) {
		const detail = `The template has several languages: ${named.map((one) => one.language).join(', ')}`
		throw new AppError(422, detail, { errors: [{ path: '/template/language', detail }] })
	}
	try {
		refuseUnusable(first)
	} catch (error) {
		if (!(error instanceof AppError)) throw error
		const errors = [{ path: '/template', detail: error.message }]
		throw new AppError(422, error.message, { code: 'template_not_usable', errors })
	}
	return first
}

/** Refuses with a 409 while nothing could be sent. */
export function refuseWithoutSender(sender: StoredSender | undefined): void {
	if (!sender) throw new AppError(409, NO_CREDENTIALS, { code: 'sender_missing' })
	if (sender.stoppedReason !== null) throw new AppError(409, sender.stoppedReason, { code: 'sender_stopped' })
}

/** The message as it is sent, or what is wrong with it; `place` is where it stands in the body. */
export function checkMessage(
	template: Template,
	{ to, values }: TypedMessage,
	place: string,
): { number: string; values: Variables; faults: Fault[] } {
	const number = readNumber(to)
	const slots = slotsOf(template.components)
	const unknown = Object.keys(values).filter((given) => !slots.some(({ key }) => key === given))
	const faults = [
		...(number === null ? [{ path: `${place}/to`, detail: NUMBER_INVALID }] : []),
		...valueProblems(template.components, values, []).map(({ field, message }) => ({
			path: `${place}/${field.replace('variables.', 'values/')}`,
			detail: message,
		})),
		...unknown.map((key) => ({ path: `${place}/values/${key}`, detail: `The template has no value "${key}"` })),
	]
	const trimmed = Object.fromEntries(slots.map(({ key }) => [key, (values[key] ?? '').trim()]))
	return { number: number ?? '', values: trimmed, faults }
}
