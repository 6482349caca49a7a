import { Box, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from '../shell/menu/brand.tsx'

/** Renders a page without sidebar and header: one card in the middle, the brand above it. */
export function PlainPage({ children }: { children: ReactNode }) {
	return (
		<Stack component="main" mih="100dvh" py={24} px={16} gap={24} align="center" justify="center">
			<Brand />
			<Box className="surface" w="100%" maw={400} p={24}>
				{children}
			</Box>
		</Stack>
	)
}
