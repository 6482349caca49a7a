import type { RecipientFilter } from '#features/campaigns/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { call } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'

interface ExportMessagesProps {
	id: string
	/** Status of the messages to export; without one, all are exported. */
	status?: RecipientFilter
}

/** Renders the button that downloads recipients with their outcomes. The file can be uploaded again as an audience. */
export function ExportMessages({ id, status }: ExportMessagesProps) {
	return (
		<DownloadButton
			busyText="Exporting..."
			read={() => call(campaignReports.exportCsv, { params: { id }, query: { status } })}
			failed={(error) => briefToast.failure(error, 'Failed to export the messages')}
		>
			{status ? `Export ${status} (CSV)` : 'Export CSV'}
		</DownloadButton>
	)
}
