import { campaignReports } from '#features/campaigns/report-contract.ts'
import type { MessageStatus } from '#features/messages/rules.ts'
import { call } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'

interface ExportMessagesProps {
	id: string
	/** Only those in this status. */
	status: MessageStatus | undefined
}

/** Saves what became of every recipient; the file can be uploaded again as an audience. */
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
