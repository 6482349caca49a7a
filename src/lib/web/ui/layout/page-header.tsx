import { Box, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useDocumentTitle } from './use-document-title.ts'

interface PageHeaderProps {
	title: string
	/** One secondary line below the title. */
	hint?: ReactNode
	/** Content next to the title, such as a status badge. */
	badge?: ReactNode
	/** Buttons on the right; the primary one is last. */
	actions?: ReactNode
	/** Content above the title, such as a back link. */
	back?: ReactNode
	/** Title of the browser's tab, when it differs from `title`. */
	documentTitle?: string
}

/** Renders the screen's h2 and sets the title of the browser's tab. */
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
					// On a shared line the title takes the rest of the width; on a separate line the actions take all of it.
					<Group gap={8} flex="1 1 auto" data-uncovered>
						{actions}
					</Group>
				)}
			</Group>
		</Stack>
	)
}
