import type { Role, SessionUser } from '#features/auth/contract.ts'
import { authPaths } from '#features/auth/paths.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { developerPaths } from '#features/developer/paths.ts'
import { notificationPaths } from '#features/notifications/paths.ts'
import { privacyPath } from '#features/privacy/paths.ts'
import { settingsPath, userPaths } from '#features/users/paths.ts'
import { whatsappPaths } from '#features/whatsapp/paths.ts'
import { admits } from '#lib/endpoint.ts'
import { menuOf } from '../shell/menu/menu.ts'

/** An entry of the palette. */
export interface Destination {
	label: string
	hint?: string
	to: string
	/** True for a place that only the owner of the account opens. */
	isOwners?: true
}

export interface DestinationGroup {
	name: string
	destinations: Destination[]
}

const PERSONAL = [
	{ label: 'My Profile', to: userPaths.profile },
	{ label: 'Settings', to: userPaths.settings },
]
const NOT_IN_MENU: Record<Role, Destination[]> = {
	admin: [
		...PERSONAL,
		{ label: 'Audit Trail', to: authPaths.auditTrail },
		{ label: 'Webhooks', to: whatsappPaths.webhooks },
	],
	user: [
		...PERSONAL,
		{ label: 'Notifications', to: notificationPaths.list },
		{ label: 'Opt-outs', hint: 'Manage Contacts', to: contactPaths.optOuts },
		{ label: 'Tags and fields', hint: 'Manage Contacts', to: contactPaths.fields },
		{ label: 'Data and privacy', hint: 'Manage Contacts', to: privacyPath },
		{ label: 'Developers', to: developerPaths.developers, isOwners: true },
		{ label: 'Business details', hint: 'Settings', to: settingsPath('business'), isOwners: true },
		{ label: 'People', hint: 'Settings', to: settingsPath('people'), isOwners: true },
		{ label: 'Activity', hint: 'Settings', to: settingsPath('activity') },
		{ label: 'Alerts', hint: 'Settings', to: settingsPath('alerts') },
		{ label: 'Replies', hint: 'Settings', to: settingsPath('replies') },
		{ label: 'Sending rules', hint: 'Settings', to: settingsPath('rules') },
		{ label: 'Security', hint: 'Settings', to: settingsPath('security') },
	],
}

/** Returns the screens of a person whose name matches the typed text. */
export function screensFor(user: Pick<SessionUser, 'role' | 'seat'>, text: string): Destination[] {
	const inMenu = menuOf(user).flatMap((entry): Destination[] =>
		'links' in entry ? entry.links.map(({ label, to }) => ({ label, to, hint: entry.label })) : [entry],
	)
	const mayOpen = ({ isOwners }: Destination) => user.role === 'admin' || admits(isOwners ? 'owner' : 'manager', user)
	const others = NOT_IN_MENU[user.role].filter(mayOpen)
	return [...inMenu, ...others].filter(({ label, hint = '' }) => matches(`${label} ${hint}`, text))
}

/** Returns true when every typed word begins a word of the name. */
export function matches(name: string, text: string): boolean {
	const words = wordsOf(name)
	return wordsOf(text).every((typed) => words.some((word) => word.startsWith(typed)))
}

function wordsOf(text: string): string[] {
	return text
		.toLowerCase()
		.split(/[\s_-]+/)
		.filter(Boolean)
}
