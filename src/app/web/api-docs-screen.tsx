import { Stack } from '@mantine/core'
import { ApiDocs } from '#features/developer/web/docs/api-docs.tsx'
import { Brand } from './shell/menu/brand.tsx'

/** A page without sidebar, as programmers need not sign in to read it. */
export function ApiDocsScreen() {
	return (
		<Stack component="main" maw={1120} mx="auto" py={24} px={16} gap={24}>
			<Brand />
			<ApiDocs />
		</Stack>
	)
}
