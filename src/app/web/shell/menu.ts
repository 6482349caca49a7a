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
import type { Role } from '#features/auth/contract.ts'

export interface MenuLink {
	label: string
	to: string
}

export interface MenuEntry {
	label: string
	icon: Icon
	/** A link by itself, or a group of links. */
	to?: string
	links?: readonly MenuLink[]
}

export const menus: Record<Role, readonly MenuEntry[]> = {
	admin: [
		{ label: 'Dashboard', icon: IconLayoutDashboard, to: '/admin/dashboard' },
		{
			label: 'User Management',
			icon: IconUsers,
			links: [
				{ label: 'User Create', to: '/admin/create/user' },
				{ label: 'Manage Users', to: '/admin/manage/users' },
			],
		},
		{
			label: 'Manage Transaction',
			icon: IconCash,
			links: [
				{ label: 'Wallet Recharge', to: '/admin/recharge/wallet' },
				{ label: 'Transaction History', to: '/admin/recharge/wallet/transaction/history' },
			],
		},
		{ label: 'Pricing Management', icon: IconTags, to: '/admin/pricing/management' },
	],
	user: [
		{ label: 'Dashboard', icon: IconLayoutDashboard, to: '/user/dashboard' },
		{
			label: 'Manage Campaign',
			icon: IconSpeakerphone,
			links: [
				{ label: 'Create Campaign', to: '/user/create/template/campaign' },
				{ label: 'Campaign Messages', to: '/user/view/template/campaign/message' },
			],
		},
		{
			label: 'Manage Template',
			icon: IconTemplate,
			links: [
				{ label: 'View Template', to: '/user/template/management' },
				{ label: 'Create Template', to: '/user/create/template' },
			],
		},
		{
			label: 'Manage Contacts',
			icon: IconAddressBook,
			links: [
				{ label: 'Manage Contact', to: '/contact/management' },
				{ label: 'Upload Contact', to: '/upload/contact' },
			],
		},
		{ label: 'Contact Groups', icon: IconUsersGroup, to: '/user/manage/contact/groups' },
		{ label: 'Live Chats', icon: IconMessageCircle, to: '/user/live/chats' },
		{ label: 'Payment Transaction', icon: IconReceiptRupee, to: '/user/recharge/transaction' },
	],
}
