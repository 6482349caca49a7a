import type { TemplateRef } from '../control.ts'
import type { Account, Phone } from '../state/accounts.ts'
import type { Template } from '../state/templates.ts'
import type { World } from '../world.ts'

export function accountWith(world: World, id: string): Account {
	const account = world.directory.accounts.get(id)
	if (!account) throw new Error(`No account ${id}`)
	return account
}

export function phoneWith(world: World, id: string): Phone {
	const phone = world.directory.phones.get(id)
	if (!phone) throw new Error(`No phone number ${id}`)
	return phone
}

export function templateBy(world: World, { id, waba_id, name, language = 'en_US' }: TemplateRef): Template {
	const template = id ? world.templates.find(id) : world.templates.inLanguage(waba_id ?? '', name ?? '', language)
	if (!template) throw new Error(`No template ${id ?? `${name} in ${language} of account ${waba_id}`}`)
	return template
}
