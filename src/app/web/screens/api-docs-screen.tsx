import { Stack } from '@mantine/core'
import { ApiDocs } from '#features/developer/web/docs/api-docs.tsx'
import { Brand } from '../shell/menu/brand.tsx'

/** Renders the API documentation without a sidebar, since programmers read it without signing in. */
export function ApiDocsScreen() {
	return (
		<Stack component="main" maw={1120} mx="auto" py={24} px={16} gap={24}>
			<Brand />
			<ApiDocs />
		</Stack>
	)
}
