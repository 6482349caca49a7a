import { CampaignStatus } from '#features/campaigns/contract.ts'
export const STATUS_OPTIONS = [
	{ value: '', label: 'All' },
	...CampaignStatus.options.map((status) => ({ value: status, label: status[0]?.toUpperCase() + status.slice(1) })),
]

export function statusOf(text: string): CampaignStatus | undefined {
	return CampaignStatus.options.find((status) => status === text)
}
