import type { TemplateRef } from '../control.ts'
import type { NetworkState } from '../network-state.ts'
import type { Account, Phone } from '../state/accounts.ts'
import type { Template } from '../state/templates.ts'

export function accountWith(state: NetworkState, id: string): Account {
	const account = state.directory.accounts.get(id)
	if (!account) throw new Error(`No account ${id}`)
	return account
}

export function phoneWith(state: NetworkState, id: string): Phone {
	const phone = state.directory.phones.get(id)
	if (!phone) throw new Error(`No phone number ${id}`)
	return phone
}

export function templateBy(state: NetworkState, { id, waba_id, name, language = 'en_US' }: TemplateRef): Template {
	const template = id ? state.templates.find(id) : state.templates.inLanguage(waba_id ?? '', name ?? '', language)
	if (!template) throw new Error(`No template ${id ?? `${name} in ${language} of account ${waba_id}`}`)
	return template
}
