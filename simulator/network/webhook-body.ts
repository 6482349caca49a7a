import type { Account, Phone } from '../state/accounts.ts'

/** One update for a receiver. Texts are JSON, already escaped. */
export interface Update {
	account: Account
	/** Set for a status, which shares one `value` with the other statuses of its number. */
	phone: Phone | null
	/** A status object, or a whole `{value, field}` change. */
	text: string
	/** Account level changes carry the time in their entry; messages and statuses do not. */
	timed: boolean
	/** Sent in a POST of its own. */
	alone: boolean
	acknowledged(): void
}

/** One POST body for many updates: an entry for each account, a change for each number's statuses and for each other update. */
export function webhookBody(updates: readonly Update[]): string {
	const parts: string[] = []
	for (const [head, changes] of changesByEntry(updates)) parts.push(`${head}"changes":[${changes.join(',')}]}`)
	return `{"object":"whatsapp_business_account","entry":[${parts.join(',')}]}`
}

function changesByEntry(updates: readonly Update[]): Map<string, string[]> {
	const entries = new Map<string, string[]>()
	const statuses = new Map<Phone, string[]>()
	for (const update of updates) {
		if (!update.phone) push(entries, entryHead(update), update.text)
		else push(statuses, update.phone, update.text)
	}
	for (const [phone, texts] of statuses) push(entries, `{"id":"${phone.waba_id}",`, statusChange(phone, texts))
	return entries
}

function entryHead({ account, timed }: Update): string {
	return timed ? `{"id":"${account.id}","time":${Math.floor(Date.now() / 1000)},` : `{"id":"${account.id}",`
}

function statusChange(phone: Phone, texts: string[]): string {
	return `{"value":{"messaging_product":"whatsapp",${metadata(phone)},"statuses":[${texts.join(',')}]},"field":"messages"}`
}

export function metadata(phone: Phone): string {
	return `"metadata":{"display_phone_number":"${phone.digits}","phone_number_id":"${phone.id}"}`
}

function push<K>(map: Map<K, string[]>, key: K, text: string): void {
	const list = map.get(key)
	if (list) list.push(text)
	else map.set(key, [text])
}
