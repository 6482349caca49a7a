import type { Role } from '#features/auth/contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { contacts } from '#features/contacts/contract.ts'
import { contactSearchPath } from '#features/contacts/paths.ts'
import { templates } from '#features/templates/contract.ts'
import { templateLabel } from '#features/templates/languages.ts'
import { templateSearchPath } from '#features/templates/paths.ts'
import { users } from '#features/users/contract.ts'
import { userSearchPath } from '#features/users/paths.ts'
import { displayNumber } from '#lib/phone/phone.ts'
import { query, queryClient } from '#lib/web/query.ts'
import type { DestinationGroup } from './destinations.ts'

interface Found {
	groups: DestinationGroup[]
	/** True when some of the searches failed, so that results may be missing. */
	isIncomplete: boolean
}

const SHOWN = 5

/** Searches users for an admin, and campaigns, contacts and templates for a user. Returns up to SHOWN records of each kind. */
export async function searchServer(role: Role, search: string): Promise<Found> {
	const searches = role === 'admin' ? [findUsers] : [findCampaigns, findContacts, findTemplates]
	const answers = await Promise.allSettled(searches.map((find) => find(search)))
	return {
		groups: answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])),
		isIncomplete: answers.some(({ status }) => status === 'rejected'),
	}
}

async function findUsers(search: string): Promise<DestinationGroup> {
	const found = await queryClient.fetchQuery(query(users.list, { query: { search, limit: SHOWN } }))
	return {
		name: 'Users',
		destinations: found.users.map(({ name, email }) => ({ label: name, hint: email, to: userSearchPath(email) })),
	}
}

async function findCampaigns(search: string): Promise<DestinationGroup> {
	const found = await queryClient.fetchQuery(query(campaigns.list, { query: { search, limit: SHOWN } }))
	return {
		name: 'Campaigns',
		destinations: found.campaigns.map(({ _id, name, status }) => ({
			label: name,
			hint: status,
			to: campaignPath(_id),
		})),
	}
}

async function findContacts(search: string): Promise<DestinationGroup> {
	const found = await queryClient.fetchQuery(query(contacts.list, { query: { search, limit: SHOWN } }))
	return {
		name: 'Contacts',
		destinations: found.contacts.map(({ firstName, lastName, number }) => ({
			label: [firstName, lastName].filter(Boolean).join(' '),
			hint: displayNumber(number),
			to: contactSearchPath(`+${number}`),
		})),
	}
}

async function findTemplates(search: string): Promise<DestinationGroup> {
	const found = await queryClient.fetchQuery(query(templates.list, { query: { search, limit: SHOWN } }))
	return {
		name: 'Templates',
		destinations: found.templates.map(({ name, status, language }) => ({
			label: templateLabel({ name, language }),
			hint: status,
			to: templateSearchPath(name),
		})),
	}
}
