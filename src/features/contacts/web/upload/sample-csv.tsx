import { Box, Group } from '@mantine/core'
import { contacts } from '#features/contacts/contract.ts'
import { call } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'

/** Offers a sample file with three columns. */
export function SampleCsv() {
	return (
		<Group gap={12} justify="space-between">
			<Box component="p" m={0} c="dimmed">
				A file with the columns firstName, lastName and number.
			</Box>
			<DownloadButton
				variant="subtle"
				read={() => call(contacts.sampleCsv)}
				fileName="sample_contacts.csv"
				failed={(error) => briefToast.failure(error, 'Failed to download sample CSV')}
			>
				Download Sample CSV
			</DownloadButton>
		</Group>
	)
}
