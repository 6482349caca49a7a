import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { mutation } from '#lib/web/query.ts'
import { saveFile } from '#lib/web/save-file.ts'
import { briefToast } from '#lib/web/toast.tsx'

/** Saves what the list shows, all pages of it. */
export function ExportContacts({ search, group }: { search: string; group: string | undefined }) {
	const download = useMutation({
		...mutation(contacts.exportCsv),
		onSuccess: (file) => saveFile(file, 'contacts.csv'),
		onError: (error) => briefToast.failure(error, 'Failed to fetch contacts'),
	})
	return (
		<Button
			variant="default"
			leftSection={<IconDownload size={16} aria-hidden />}
			onClick={() => download.mutate({ query: { search, group } })}
			disabled={download.isPending}
			aria-busy={download.isPending}
		>
			{download.isPending ? 'Exporting...' : 'Export CSV'}
		</Button>
	)
}
