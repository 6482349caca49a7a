import { Box, Group } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** The icon of each tone of a notice. */
export const NOTICE_ICONS = {
	ok: IconCircleCheck,
	info: IconInfoCircle,
	warn: IconAlertTriangle,
	error: IconAlertCircle,
}

interface NoticeProps {
	tone: keyof typeof NOTICE_ICONS
	title?: string
	children: ReactNode
	/** `status` or `alert` for a notice that appears during work; without a role, screen readers read it in order. */
	role?: 'status' | 'alert'
}

/** Renders a permanent notice, for a text too important or too long for a toast. */
export function Notice({ tone, title, children, role }: NoticeProps) {
	const Icon = NOTICE_ICONS[tone]
	return (
		<Group py={10} px={12} bdrs={8} gap={10} align="flex-start" wrap="nowrap" data-tone={tone} role={role}>
			<Icon size={20} aria-hidden />
			<Box className="whole" miw={0}>
				{title && (
					<Box component="p" fw={600}>
						{title}
					</Box>
				)}
				{children}
			</Box>
		</Group>
	)
}
