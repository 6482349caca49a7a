import { IconAddressBook, IconArrowBackUp, IconCopy, IconExternalLink, IconPhone, type Icon } from '@tabler/icons-react'
import type { TemplateButton } from '#features/templates/contract.ts'

interface ButtonType {
	type: TemplateButton['type']
	label: string
	hint: string
	Icon: Icon
}

export const BUTTON_TYPES: readonly ButtonType[] = [
	{ type: 'QUICK_REPLY', label: 'Quick reply', hint: 'The customer replies with this text', Icon: IconArrowBackUp },
	{ type: 'URL', label: 'Visit website', hint: 'Opens a web page', Icon: IconExternalLink },
	{ type: 'PHONE_NUMBER', label: 'Call phone number', hint: 'Calls your business', Icon: IconPhone },
	{
		type: 'REQUEST_CONTACT_INFO',
		label: 'Ask for phone number',
		hint: 'Sends you the number of people who hide it',
		Icon: IconAddressBook,
	},
	{ type: 'COPY_CODE', label: 'Copy offer code', hint: 'Copies a code', Icon: IconCopy },
]

export function buttonType(type: TemplateButton['type']): ButtonType | undefined {
	return BUTTON_TYPES.find((known) => known.type === type)
}
