import { Tabs } from '@mantine/core'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { useGroupOptions } from '../use-group-options.ts'
import { BulkUpload } from './bulk-upload.tsx'
import { LatestContacts } from './latest-contacts.tsx'
import { ManualUpload } from './manual-upload.tsx'

export function UploadContacts() {
	const [tab, setTab] = useSearchText('tab')
	const groups = useGroupOptions()
	return (
		<>
			<PageHeader title="Upload Contacts" hint="Add contacts one by one, or upload a file." />
			<div className="stack">
				<Card>
					<Tabs
						value={tab === 'bulk' ? 'bulk' : 'manual'}
						onChange={(chosen) => setTab(chosen === 'bulk' ? 'bulk' : '')}
						keepMounted={false}
					>
						<Tabs.List mb={20}>
							<Tabs.Tab value="manual">Manual Upload</Tabs.Tab>
							<Tabs.Tab value="bulk">Bulk Upload</Tabs.Tab>
						</Tabs.List>
						<Tabs.Panel value="manual">
							<ManualUpload groups={groups} />
						</Tabs.Panel>
						<Tabs.Panel value="bulk" keepMounted>
							<BulkUpload groups={groups} />
						</Tabs.Panel>
					</Tabs>
				</Card>
				<LatestContacts groups={groups} />
			</div>
		</>
	)
}
