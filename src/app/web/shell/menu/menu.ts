import {
	IconAddressBook,
	IconCash,
	IconLayoutDashboard,
	IconMessageCircle,
	IconReceiptRupee,
	IconSpeakerphone,
	IconTags,
	IconTemplate,
	IconUsers,
	IconUsersGroup,
	type Icon,
} from '@tabler/icons-react'
import { leastSeatOf } from '#app/web/seats.ts'
import type { Role, SessionUser } from '#features/auth/contract.ts'
import { authPaths } from '#features/auth/paths.ts'
import { campaignPath, campaignPaths } from '#features/campaigns/paths.ts'
import { chatPaths } from '#features/chats/paths.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { paymentPath, paymentPaths } from '#features/payments/paths.ts'
import { pricingPaths } from '#features/pricing/paths.ts'
import { privacyPath } from '#features/privacy/paths.ts'
import { statementPaths, userStatementPath } from '#features/statements/paths.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { userPaths } from '#features/users/paths.ts'
import { walletPaths } from '#features/wallet/paths.ts'
import { whatsappPaths } from '#features/whatsapp/paths.ts'
import { admits } from '#lib/endpoint.ts'

export interface MenuLink {
	label: string
	to: string
	/** Path prefixes of subordinate screens, on which the link is highlighted too. */
	under?: readonly string[]
}

export interface MenuGroup {
	label: string
	links: readonly MenuLink[]
}

/** A single link, or a collapsible group of links. */
type MenuEntry = (MenuLink | MenuGroup) & { icon: Icon }

const menus: Record<Role, readonly MenuEntry[]> = {
	admin: [
		{
			label: 'Dashboard',
			icon: IconLayoutDashboard,
			to: dashboardPaths.admin,
			under: [authPaths.auditTrail, whatsappPaths.webhooks],
		},
		{
			label: 'User Management',
			icon: IconUsers,
			links: [
				{ label: 'User Create', to: userPaths.create },
				{ label: 'Manage Users', to: userPaths.manage },
			],
		},
		{
			label: 'Manage Transaction',
			icon: IconCash,
			links: [
				{ label: 'Wallet Recharge', to: walletPaths.recharge },
				{ label: 'Refunds to check', to: statementPaths.refunds },
				{ label: 'Transaction History', to: walletPaths.history, under: [userStatementPath(''), paymentPaths.all] },
			],
		},
		{
			label: 'Pricing Management',
			icon: IconTags,
			to: pricingPaths.management,
			under: [pricingPaths.rates, pricingPaths.margins],
		},
	],
	user: [
		{ label: 'Dashboard', icon: IconLayoutDashboard, to: dashboardPaths.user },
		{
			label: 'Manage Campaign',
			icon: IconSpeakerphone,
			links: [
				{ label: 'Create Campaign', to: campaignPaths.create },
				{ label: 'Campaign Messages', to: campaignPaths.list, under: [campaignPath('')] },
			],
		},
		{
			label: 'Manage Template',
			icon: IconTemplate,
			links: [
				{ label: 'View Template', to: templatePaths.list },
				{ label: 'Create Template', to: templatePaths.create },
			],
		},
		{
			label: 'Manage Contacts',
			icon: IconAddressBook,
			links: [
				{
					label: 'Manage Contact',
					to: contactPaths.list,
					under: [contactPaths.optOuts, contactPaths.fields, privacyPath],
				},
				{ label: 'Upload Contact', to: contactPaths.upload },
				{ label: 'Segments', to: contactPaths.segments },
			],
		},
		{ label: 'Contact Groups', icon: IconUsersGroup, to: contactPaths.groups },
		{ label: 'Live Chats', icon: IconMessageCircle, to: chatPaths.live },
		{ label: 'Payment Transaction', icon: IconReceiptRupee, to: statementPaths.payments, under: [paymentPath('')] },
	],
}

/** Returns the menu of a person: the entries of the role whose screens the seat opens. */
export function menuOf(user: Pick<SessionUser, 'role' | 'seat'>): readonly MenuEntry[] {
	if (user.role === 'admin') return menus.admin
	const isOpen = ({ to }: MenuLink) => admits(leastSeatOf(to), user)
	return menus.user.filter((entry) => ('links' in entry ? entry.links.some(isOpen) : isOpen(entry)))
}

/** Returns true when the path is the link's screen or a subordinate one. */
export function leadsTo({ to, under = [] }: Pick<MenuLink, 'to' | 'under'>, pathname: string): boolean {
	return to === pathname || under.some((prefix) => pathname.startsWith(prefix))
}
