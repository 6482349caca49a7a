import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { MessageStatus } from '#features/campaigns/contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { mutation } from '#lib/web/query.ts'
import { saveFile } from '#lib/web/save-file.ts'
import { briefToast } from '#lib/web/toast.tsx'

interface ExportMessagesProps {
	id: string
	/** Only those in this status. */
	status: MessageStatus | undefined
}

/** Saves what became of every recipient; the file can be uploaded again as an audience. */
export function ExportMessages({ id, status }: ExportMessagesProps) {
	const download = useMutation({
		...mutation(campaignReports.exportCsv),
		onSuccess: (file) => saveFile(file),
		onError: (error) => briefToast.failure(error, 'Failed to export the messages'),
	})
	return (
		<Button
			variant="default"
			leftSection={<IconDownload size={16} aria-hidden />}
			onClick={() => download.mutate({ params: { id }, query: { status } })}
			disabled={download.isPending}
			aria-busy={download.isPending}
		>
			{download.isPending ? 'Exporting...' : status ? `Export ${status} (CSV)` : 'Export CSV'}
		</Button>
	)
}
