import { Box, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useDocumentTitle } from './use-document-title.ts'

interface PageHeaderProps {
	title: string
	/** One quiet line under the title. */
	hint?: ReactNode
	/** Beside the title, for instance a status badge. */
	badge?: ReactNode
	/** Buttons on the right; the one primary button comes last. */
	actions?: ReactNode
	/** Above the title, for instance a way back. */
	back?: ReactNode
	/** For the browser's tab, where it should differ from `title`. */
	documentTitle?: string
}

/** The one h2 of a screen. It names the browser's tab as well. */
export function PageHeader({ title, hint, badge, actions, back, documentTitle }: PageHeaderProps) {
	useDocumentTitle(documentTitle ?? title)
	return (
		<Stack gap={8} align="flex-start" mb={16}>
			{back}
			<Group gap="12px 16px" justify="space-between" w="100%">
				<Box className="whole" flex="999 1 240px" miw={0}>
					<Group gap="4px 12px">
						<h2 className="title">{title}</h2>
						{badge}
					</Group>
					{hint && (
						<Box component="p" className="whole" m="2px 0 0" c="dimmed">
							{hint}
						</Box>
					)}
				</Box>
				{actions && (
					// On one line the title takes what the actions leave; on a line of their own they take the whole width.
					<Group gap={8} flex="1 1 auto">
						{actions}
					</Group>
				)}
			</Group>
		</Stack>
	)
}
