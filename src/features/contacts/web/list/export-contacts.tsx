import { contacts } from '#features/contacts/contract.ts'
import { call } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'

/** Saves what the list shows, all pages of it. */
export function ExportContacts({ search, group }: { search: string; group: string | undefined }) {
	return (
		<DownloadButton
			busyText="Exporting..."
			read={() => call(contacts.exportCsv, { query: { search, group } })}
			fileName="contacts.csv"
			failed={(error) => briefToast.failure(error, 'Failed to fetch contacts')}
		>
			Export CSV
		</DownloadButton>
	)
}
