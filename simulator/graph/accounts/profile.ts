import type { Phone } from '#simulator/state/accounts.ts'
import type { Call } from '../call.ts'
import { invalidParam, wrongValue } from '../errors.ts'
import { project } from '../fields.ts'
import { optionalText } from '../json.ts'
import { paramsOf, unpacked } from '../params.ts'

const LIMITS: Record<string, number> = { about: 139, address: 256, description: 512, email: 128, vertical: 40 }
const FIELDS = ['about', 'address', 'description', 'email', 'profile_picture_url', 'websites', 'vertical']

export function getProfile(phone: Phone, { query }: Call): unknown {
	const profile = Object.fromEntries(FIELDS.map((field) => [field, phone.profile[field]]))
	const all = { ...profile, messaging_product: 'whatsapp' }
	const requested = query.get('fields')
	const shown = project(all, { requested, defaults: [], node: 'WhatsAppBusinessProfile' })
	return { data: [{ ...shown, messaging_product: 'whatsapp' }] }
}

export function updateProfile(phone: Phone, call: Call): unknown {
	const params = paramsOf(call)
	if (params['messaging_product'] !== 'whatsapp') throw invalidParam('The parameter messaging_product is required.')
	const change: Record<string, unknown> = {}
	for (const [field, maxLength] of Object.entries(LIMITS)) {
		if (params[field] === '') change[field] = undefined
		else if (params[field] !== undefined) {
			optionalText(params[field], field, maxLength)
			change[field] = params[field]
		}
	}
	const websites = unpacked(params['websites'])
	if (websites !== undefined) {
		if (!Array.isArray(websites) || websites.length > 2) throw wrongValue('websites must be a list of at most 2.')
		change['websites'] = websites
	}
	Object.assign(phone.profile, change)
	call.state.directory.savePhone(phone)
	return { success: true }
}
